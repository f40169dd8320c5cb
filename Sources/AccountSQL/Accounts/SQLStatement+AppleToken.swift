import AccountService

extension SQLStatement {
    /// An `AppleTokenStatus` of the identity `i` of the statement around it.
    static let appleTokenStatus: Self = """
        CASE WHEN EXISTS (SELECT t.id FROM apple_tokens t WHERE t.identity_id = i.id) THEN 'held'
            WHEN EXISTS (SELECT o.id FROM outbox o WHERE o.identity_id = i.id AND o.finished_at IS NULL
                AND o.kind = 'code') THEN 'waiting'
            ELSE 'none' END
        """
    fileprivate static let statusOfIdentity: Self = "SELECT \(appleTokenStatus) FROM identities i WHERE i.id = ?1"
}

extension SQLConnection {
    func appleTokenStatus(of identity: IdentityID) throws -> AppleTokenStatus {
        try first(.statusOfIdentity, [.id(identity)]) { try $0.word(AppleTokenStatus.self) } ?? .none
    }
}
