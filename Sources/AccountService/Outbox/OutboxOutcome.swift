/// What an attempt came to.
public enum OutboxOutcome: Hashable, Sendable {
    case done
    /// Done, and Apple gave a refresh token: kept for the entry's identity, or, when that is gone, to be revoked. The
    /// owner, as far as it is known, finds the identity where the entry cannot say it any more, or never could.
    case redeemed(AppleToken?, of: TokenOwner? = nil)
    /// Apple has redeemed a code, and what it gave can be verified later: sealed, a ``WaitingCode`` in the place of the
    /// one without it.
    case answered(sealed: [UInt8], verifyAt: Timestamp, failure: String)
    /// Nothing can be done any more.
    case expired(failure: String)
    case again(at: Timestamp, failure: String)
    case parked(failure: String)
}
