/// Whether the service could revoke Apple's authorization of an identity's person.
public enum AppleTokenStatus: String, Hashable, Sendable {
    /// A refresh token of Apple's is held.
    case held
    /// A code waits to be redeemed for one, because Apple could not be asked at the sign-in.
    case waiting
    case none
}
