import AppleID
import AppleIDTypes
import Crypto
import Foundation
import GRDB

/// The server's own tables. `users` is what a server has anyway; the columns that begin with `apple_` are what Sign in with
/// Apple adds.
struct UserTable: Sendable {
    /// A person as the server knows them.
    struct User: Equatable, Sendable {
        var id: String
        var subject: Subject?
        var email: String?
        var name: String?
    }

    private let database: DatabaseQueue
    /// Seals Apple's refresh tokens. Somebody who has the database alone can do nothing with them.
    private let key: SymmetricKey

    init(_ database: DatabaseQueue, key: SymmetricKey) throws {
        self.database = database
        self.key = key
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS users (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT,
                        email TEXT,
                        apple_sub TEXT UNIQUE,
                        apple_transfer_sub TEXT UNIQUE,
                        apple_relays_mail BOOLEAN,
                        apple_changed_at DOUBLE,
                        apple_client TEXT,
                        apple_refresh_token BLOB
                    );
                    CREATE TABLE IF NOT EXISTS sessions (
                        token_hash BLOB NOT NULL PRIMARY KEY,
                        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                        expires_at DOUBLE NOT NULL
                    );
                    CREATE TABLE IF NOT EXISTS nonces (nonce TEXT NOT NULL PRIMARY KEY, expires_at DOUBLE NOT NULL);
                    CREATE TABLE IF NOT EXISTS apple_notifications (id TEXT NOT NULL PRIMARY KEY);
                    CREATE TABLE IF NOT EXISTS revocations (
                        id INTEGER NOT NULL PRIMARY KEY,
                        user_id TEXT NOT NULL,
                        client TEXT NOT NULL,
                        refresh_token BLOB NOT NULL
                    );
                    """)
        }
    }

    // MARK: Nonces

    func keep(nonce: String, until end: Date) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT INTO nonces (nonce, expires_at) VALUES (?, ?)",
                arguments: [nonce, end.timeIntervalSince1970])
        }
    }

    /// Uses a nonce up.
    /// - Returns: false for one that was used, is too old or was never given.
    func take(nonce: String, at now: Date) async throws -> Bool {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM nonces WHERE expires_at < ?", arguments: [now.timeIntervalSince1970])
            try db.execute(sql: "DELETE FROM nonces WHERE nonce = ?", arguments: [nonce])
            return db.changesCount > 0
        }
    }

    // MARK: Sign-in

    /// Finds the person by Apple's subject, and by nothing else, or makes a new one. Opens a session.
    /// - Parameter token: Apple's refresh token, which takes the place of an older one.
    func signIn(
        _ identity: VerifiedIdentity, name: String?, token: RefreshToken?, session: [UInt8], until end: Date
    ) async throws -> User {
        try await database.write { db in
            let subject = identity.subject.rawValue
            // During the sixty days of an app's transfer the token leads to the subject of the former team.
            if let transfer = identity.claims.transferSubject?.rawValue {
                try db.execute(
                    sql: """
                        UPDATE users SET apple_sub = ?, apple_transfer_sub = NULL WHERE apple_transfer_sub = ?
                            AND NOT EXISTS (SELECT id FROM users WHERE apple_sub = ?)
                        """,
                    arguments: [subject, transfer, subject])
            }
            try db.execute(
                sql: "INSERT INTO users (id, apple_sub) VALUES (?, ?) ON CONFLICT (apple_sub) DO NOTHING",
                arguments: [UUID().uuidString, subject])
            guard
                let id = try String.fetchOne(db, sql: "SELECT id FROM users WHERE apple_sub = ?", arguments: [subject])
            else { throw DatabaseError(message: "the user was just written") }
            // Apple tells the name once, and the address not always.
            try db.execute(
                sql: """
                    UPDATE users SET name = coalesce(name, ?), email = coalesce(?, email),
                        apple_client = ?, apple_refresh_token = coalesce(?, apple_refresh_token),
                        apple_changed_at = max(coalesce(apple_changed_at, 0), ?) WHERE id = ?
                    """,
                arguments: [
                    name, identity.email, identity.audience.rawValue, try token.map { try seal($0, of: id) },
                    identity.issuedAt.timeIntervalSince1970, id,
                ])
            try db.execute(
                sql: "INSERT INTO sessions (token_hash, user_id, expires_at) VALUES (?, ?, ?)",
                arguments: [Self.hash(session), id, end.timeIntervalSince1970])
            return try Self.user(id, db)
        }
    }

    /// The person of a session; nil where there is none.
    func user(ofSession session: [UInt8], at now: Date) async throws -> User? {
        try await database.read { db in
            let id = try String.fetchOne(
                db, sql: "SELECT user_id FROM sessions WHERE token_hash = ? AND expires_at > ?",
                arguments: [Self.hash(session), now.timeIntervalSince1970])
            return try id.map { try Self.user($0, db) }
        }
    }

    // MARK: Deletion

    /// Deletes a person. The same transaction keeps the revocation for Apple, so that no outage loses it.
    func delete(_ user: String) async throws {
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO revocations (user_id, client, refresh_token)
                    SELECT id, apple_client, apple_refresh_token FROM users
                    WHERE id = ? AND apple_refresh_token IS NOT NULL
                    """,
                arguments: [user])
            try db.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [user])
        }
    }

    /// The revocations that Apple has not taken yet.
    func revocations() async throws -> [(id: Int64, client: ClientID, token: RefreshToken)] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT id, user_id, client, refresh_token FROM revocations").map { row in
                (row["id"], ClientID(row["client"] as String), try open(row["refresh_token"], of: row["user_id"]))
            }
        }
    }

    func finish(revocation: Int64) async throws {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM revocations WHERE id = ?", arguments: [revocation])
        }
    }

    // MARK: Apple's word

    /// Applies a notification, once, unless the person has done something newer.
    func apply(_ notification: VerifiedNotification) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT INTO apple_notifications (id) VALUES (?) ON CONFLICT DO NOTHING",
                arguments: [notification.id])
            guard db.changesCount > 0 else { return }
            let (subject, time) = (notification.event.subject.rawValue, notification.happenedAt.timeIntervalSince1970)
            let user = try String.fetchOne(
                db, sql: "SELECT id FROM users WHERE apple_sub = ? AND coalesce(apple_changed_at, 0) <= ?",
                arguments: [subject, time])
            guard let user else { return }
            try db.execute(sql: "UPDATE users SET apple_changed_at = ? WHERE id = ?", arguments: [time, user])
            switch notification.change {
            case .emailDisabled, .emailEnabled:
                let relays = if case .emailEnabled = notification.change { true } else { false }
                try db.execute(sql: "UPDATE users SET apple_relays_mail = ? WHERE id = ?", arguments: [relays, user])
            case .consentRevoked, .accountDeleted:
                // The tokens are dead. The person may come back after a revocation, with the same subject.
                try db.execute(sql: "DELETE FROM sessions WHERE user_id = ?", arguments: [user])
                try db.execute(sql: "UPDATE users SET apple_refresh_token = NULL WHERE id = ?", arguments: [user])
            default: break
            }
        }
    }

    // MARK: Another team

    /// People whose transfer subject isn't known yet.
    func subjects() async throws -> [Subject] {
        try await database.read { db in
            try String.fetchAll(
                db, sql: "SELECT apple_sub FROM users WHERE apple_sub IS NOT NULL AND apple_transfer_sub IS NULL"
            ).map { Subject($0) }
        }
    }

    func keep(transferSubject: Subject, of subject: Subject) async throws {
        try await database.write { db in
            try db.execute(
                sql: "UPDATE users SET apple_transfer_sub = ? WHERE apple_sub = ?",
                arguments: [transferSubject.rawValue, subject.rawValue])
        }
    }

    func transferSubjects() async throws -> [Subject] {
        try await database.read { db in
            try String.fetchAll(
                db, sql: "SELECT apple_transfer_sub FROM users WHERE apple_transfer_sub IS NOT NULL"
            ).map { Subject($0) }
        }
    }

    /// Gives a person the subject and the relay address of the receiving team.
    func move(_ transferSubject: Subject, to person: TransferredPerson) async throws {
        try await database.write { db in
            try db.execute(
                sql: """
                    UPDATE users SET apple_sub = ?, apple_transfer_sub = NULL, apple_refresh_token = NULL,
                        email = coalesce(?, email) WHERE apple_transfer_sub = ?
                    """,
                arguments: [person.subject.rawValue, person.email, transferSubject.rawValue])
        }
    }

    // MARK: -

    private static func user(_ id: String, _ db: Database) throws -> User {
        let row = try Row.fetchOne(db, sql: "SELECT apple_sub, email, name FROM users WHERE id = ?", arguments: [id])
        return User(id: id, subject: (row?["apple_sub"]).map { Subject($0) }, email: row?["email"], name: row?["name"])
    }

    private static func hash(_ secret: [UInt8]) -> Data { Data(SHA256.hash(data: secret)) }

    private func seal(_ token: RefreshToken, of user: String) throws -> Data? {
        try AES.GCM.seal(Data(token.rawValue.utf8), using: key, authenticating: Data(user.utf8)).combined
    }

    private func open(_ sealed: Data, of user: String) throws -> RefreshToken {
        let box = try AES.GCM.SealedBox(combined: sealed)
        let text = try AES.GCM.open(box, using: key, authenticating: Data(user.utf8))
        return RefreshToken(String(decoding: text, as: UTF8.self))
    }
}
