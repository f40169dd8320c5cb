public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func keepName(_ name: KeptName) async throws {
        try await database.write { try $0.keep(name) }
    }

    public func keepFirstName(_ name: KeptName, spending spent: [Spent], at: Timestamp) async throws -> Bool {
        let person = OutboxEntry.personHash(team: name.team, subject: name.subject)
        return try await database.write { connection in
            try connection.lock(person: person)
            let hasName = try connection.returnsRow(
                .findName, [.text(name.team), .text(name.subject), .time(at)])
            guard !hasName else { return false }
            try connection.spend(spent, at: at)
            try connection.keep(name)
            return true
        }
    }
}

extension SQLConnection {
    fileprivate func keep(_ name: KeptName) throws {
        try execute(
            .keepName, [.text(name.team), .text(name.subject), .bytes(name.sealed), .time(name.expiresAt)])
    }

    func removeKeptName(team: TeamID, subject: Subject) throws {
        try execute(.removeKeptName, [.text(team), .text(subject)])
    }

    /// The name kept for a person, expired or not.
    func keptName(team: TeamID, subject: Subject) throws -> KeptName? {
        try first(.keptName, [.text(team), .text(subject)]) { columns in
            try KeptName(team: team, subject: subject, sealed: columns.bytes(), expiresAt: columns.time())
        }
    }
}

extension SQLStatement {
    fileprivate static let keepName: Self = """
        INSERT INTO kept_names (team, subject, sealed, expires_at) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (team, subject) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at
        """
    /// A name of the person's: the account's, or a kept one that counts.
    fileprivate static let findName: Self = """
        SELECT team FROM kept_names WHERE team = ?1 AND subject = ?2 AND expires_at > ?3
        UNION ALL
        SELECT i.team FROM identities i JOIN accounts a ON a.id = i.account_id
        WHERE i.provider = 'apple' AND i.team = ?1 AND i.subject = ?2
            AND coalesce(a.given_name, a.family_name, a.middle_name, a.name_prefix, a.name_suffix, a.nickname)
                IS NOT NULL
        """
    fileprivate static let keptName: Self = """
        SELECT sealed, expires_at FROM kept_names WHERE team = ?1 AND subject = ?2
        """
    fileprivate static let removeKeptName: Self = """
        DELETE FROM kept_names WHERE team = ?1 AND subject = ?2
        """
}
