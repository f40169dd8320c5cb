public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func keepName(_ name: KeptName) async throws {
        _ = try await database.write { connection in
            try connection.execute(
                .keepName, [.text(name.team), .text(name.subject), .bytes(name.sealed), .time(name.expiresAt)])
        }
    }
}

extension SQLConnection {
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
    fileprivate static let keptName: Self = """
        SELECT sealed, expires_at FROM kept_names WHERE team = ?1 AND subject = ?2
        """
    fileprivate static let removeKeptName: Self = """
        DELETE FROM kept_names WHERE team = ?1 AND subject = ?2
        """
}
