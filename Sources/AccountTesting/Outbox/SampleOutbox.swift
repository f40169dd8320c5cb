import AccountService
import AppleIDTypes

extension OutboxEntry {
    /// An entry that is due, with identifiers of its own.
    static func sample(
        kind: Kind = .revocation, personHash: TokenHash? = .sample(), identity: IdentityID? = .sample(),
        nextAttemptAt: Timestamp = .start
    ) -> OutboxEntry {
        OutboxEntry(
            id: .sample(), kind: kind, clientID: "com.example.juice", sealed: [1, 2, 3], personHash: personHash,
            identityID: identity, createdAt: .start - .days(1), nextAttemptAt: nextAttemptAt)
    }
}

extension OutboxLease {
    /// A taking for two minutes.
    static func sample(at moment: Timestamp = .start, limit: Int = 100) -> OutboxLease {
        OutboxLease(
            owner: SessionID.sample().rawValue, at: moment, until: moment + .minutes(2), limit: limit)
    }
}
