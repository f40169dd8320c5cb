package import AccountService
package import AppleIDTypes

extension OutboxEntry {
    /// An entry that is due, with identifiers of its own.
    package static func sample(
        kind: Kind = .revocation, personHash: TokenHash? = .sample(), identity: IdentityID? = .sample(),
        nextAttemptAt: Timestamp = .start
    ) -> OutboxEntry {
        OutboxEntry(
            id: .sample(), kind: kind, clientID: "com.example.juice", sealed: [1, 2, 3], personHash: personHash,
            identityID: identity, createdAt: .start - .days(1), nextAttemptAt: nextAttemptAt)
    }
}

extension QueueLease {
    /// A lease of two minutes.
    package static func sample(at moment: Timestamp = .start, limit: Int = 100) -> QueueLease {
        QueueLease(
            owner: SessionID.sample().rawValue, at: moment, until: moment + .minutes(2), limit: limit)
    }
}

extension AccountTransactions {
    /// Takes due entries of both lanes, as one server does: codes first, then the others, `lease.limit` at most in all.
    package func leaseOutbox(_ lease: QueueLease) async throws -> [OutboxEntry] {
        var (taken, rest) = ([OutboxEntry](), lease)
        for lane in OutboxLane.allCases {
            taken += try await leaseOutbox(rest, on: lane)
            rest.limit = lease.limit - taken.count
        }
        return taken
    }
}

extension RevocationRecord {
    /// A revocation of what is held for the person of a session.
    package static func sample(in session: SessionID, at moment: Timestamp = .start) -> Self {
        Self(at: moment, session: session, used: [], ownCode: nil, appleToken: nil)
    }
}

extension DeletionRecord {
    package static func sample(in session: SessionID, at moment: Timestamp = .start) -> Self {
        Self(at: moment, session: session, handleHash: .sample())
    }
}

extension PurgeRecord {
    /// A deletion by an operator.
    package static func sample(of account: AccountID) -> Self {
        Self(at: .start, account: account, handleHash: .sample(), by: .operator, reason: "operator")
    }
}

extension AppleNotification {
    /// About `001999.person`; no other sample has its identifier.
    package static func sample(
        _ change: Change, id: String? = nil, _ subject: Subject = "001999.person", team: TeamID = "TEAM000001",
        happenedAt: Timestamp, receivedAt: Timestamp? = nil
    ) -> Self {
        let type: EventType =
            switch change {
            case .consentRevoked: .consentRevoked
            case .accountDeleted: .accountDeleted
            case .emailForwarding(true): .emailEnabled
            case .emailForwarding(false): .emailDisabled
            case .other: EventType("orchard-planted")
            }
        return Self(
            id: id ?? SessionID.sample().rawValue, type: type, change: change, team: team,
            audience: "com.example.juice", subject: subject, happenedAt: happenedAt,
            receivedAt: receivedAt ?? happenedAt + .seconds(1))
    }
}
