extension OutboxEntry {
    /// The revocation of a token, which takes over its id and seal.
    /// - Parameter identityID: nil for one that goes with its account.
    public init(
        revoking token: AppleToken, personHash: TokenHash?, identityID: IdentityID? = nil,
        deletionHash: TokenHash? = nil, at moment: Timestamp
    ) {
        self.init(
            id: OutboxID(rawValue: token.id.rawValue), kind: .revocation, clientID: token.clientID,
            sealed: token.sealed, personHash: personHash, identityID: identityID, deletionHash: deletionHash,
            createdAt: moment)
    }
}
