/// What an attempt came to.
public enum OutboxOutcome: Hashable, Sendable {
    case done
    /// Done, and Apple gave a refresh token: kept for the entry's identity, or, when that is gone, to be revoked.
    case redeemed(AppleToken?)
    /// Nothing can be done any more.
    case expired(failure: String)
    case again(at: Timestamp, failure: String)
    case parked(failure: String)
}
