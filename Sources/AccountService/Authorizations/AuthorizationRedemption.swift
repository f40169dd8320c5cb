/// What an app presents for a finished authorization, decided by a store in one transaction.
public struct AuthorizationRedemption: Hashable, Sendable {
    public enum Key: Hashable, Sendable {
        case handle(TokenHash)
        case deviceCode(TokenHash)
    }

    public enum Outcome: Hashable, Sendable {
        /// This call redeemed it.
        case redeemed(StoredAuthorization)
        /// Nothing has this handle or device code.
        case unknown
        /// The verifier does not fit, so handle or device code is spent; or it was spent before.
        case spent
        /// The handle, or the authorization of the device code, is too old.
        case expired
        /// The device is to ask again.
        case pending
        /// The device asked too soon: its interval has grown.
        case tooSoon
        case failed(AuthorizationFailure)
    }

    public var key: Key
    /// The SHA-256 of the verifier.
    public var challenge: TokenHash
    /// Of the code of ours that is handed out with the result.
    public var codeHash: TokenHash
    /// At the latest: a code never outlives the identity token's ``AuthorizationFinish/freshUntil``.
    public var codeExpiresAt: Timestamp
    /// By how much asking too soon lengthens the interval.
    public var slowDown: Duration
    public var at: Timestamp

    public init(
        key: Key, challenge: TokenHash, codeHash: TokenHash, codeExpiresAt: Timestamp, slowDown: Duration,
        at: Timestamp
    ) {
        self.key = key
        self.challenge = challenge
        self.codeHash = codeHash
        self.codeExpiresAt = codeExpiresAt
        self.slowDown = slowDown
        self.at = at
    }
}
