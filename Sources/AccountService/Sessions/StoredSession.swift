/// A session as a store keeps it, with the account it opens.
public struct StoredSession: Hashable, Sendable {
    public var session: Session
    public var account: Account
    /// Hash of the cookie's secret, or of the refresh token that is current.
    public var secretHash: TokenHash
    /// How often the refresh token has been exchanged.
    public var generation: Int64
    /// The last generation of which a token has been used here; zero as long as there is none.
    public var usedGeneration: Int64
    public var ended: End?

    public struct End: Hashable, Sendable {
        public var at: Timestamp
        public var reason: SessionEndReason

        public init(at: Timestamp, reason: SessionEndReason) {
            self.at = at
            self.reason = reason
        }
    }

    public init(
        session: Session, account: Account, secretHash: TokenHash, generation: Int64, usedGeneration: Int64 = 0,
        ended: End?
    ) {
        self.session = session
        self.account = account
        self.secretHash = secretHash
        self.generation = generation
        self.usedGeneration = usedGeneration
        self.ended = ended
    }
}
