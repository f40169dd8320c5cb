import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

/// An account that has a row of every kind, and one into which it can be merged.
struct FilledAccount: Sendable {
    /// The account that a merge takes, with an address, an identity of another provider and an Apple Account.
    let from: StoredSession
    /// The remaining account.
    let into: StoredSession
    private let system: PasswordSystem

    /// The tables whose rows move, with the column that names the account.
    static let moved: [(table: SQLStatement, column: SQLStatement)] = [
        ("apple_notifications", "account_id"), ("consents", "account_id"), ("contact_changes", "account_id"),
        ("identities", "account_id"), ("imported_people", "account_id"), ("link_requests", "account_id"),
        ("mails_sent", "account_id"), ("merged_accounts", "into_id"), ("sessions", "account_id"),
    ]

    /// The rows of ``moved`` that the remaining account has before, or gets by the merge: its identity and its session,
    /// the consent to the merge, the note of it, and the link that takes back what the merge has brought.
    static let ofInto: [String: Int64] = [
        "identities": 1, "sessions": 1, "consents": 1, "merged_accounts": 1, "contact_changes": 1,
    ]

    init(in system: PasswordSystem) async throws {
        self.system = system
        from = try await system.makeAccount()
        try await system.link(.init(), to: from)
        try await system.link(from, hidesEmail: true, consent: system.consentText)
        let third = try await system.makeAccount("ann@example.com", password: PasswordSystem.otherPassword)
        await expectError(.wrongCredentials) {
            _ = try await system.signIn(password: PasswordSystem.otherPassword)
        }
        system.clock.advance(by: .seconds(5))
        let apple = try #require(
            try await system.store.identities(of: from.account.id).first { $0.provider == .apple })
        _ = try await system.store.applyNotification(
            .sample(.emailForwarding(false), apple.subject, team: apple.team, happenedAt: system.now))
        into = try await system.session(of: system.signInWithApple("zoe"))
        try await system.insertTransfer(
            TransferID(rawValue: "trf_filled"), of: apple.id, in: from.account.id, to: "OTHERTEAM1", round: 0)
        let filling = Filling(from: from, into: into, third: third, apple: apple.id, at: system.now)
        try await system.store.write { try filling.run(on: $0) }
    }

    /// The ids of the account, its sessions and its identities.
    func names() async throws -> Set<String> {
        let account = from.account.id
        return try await system.store.read { connection in
            let sessions = try connection.query("SELECT id FROM sessions WHERE account_id = ?1", [.id(account)]) {
                try $0.text()
            }
            let identities = try connection.query("SELECT id FROM identities WHERE account_id = ?1", [.id(account)]) {
                try $0.text()
            }
            return Set([account.rawValue] + sessions + identities)
        }
    }
}

/// Inserts the rows that no call makes in a test of a few seconds.
private struct Filling: Sendable {
    let from: StoredSession
    let into: StoredSession
    let third: StoredSession
    /// The Apple identity of the account that a merge takes.
    let apple: IdentityID
    let at: Timestamp

    private var later: SQLValue { .time(at + .days(1)) }

    private func hash(_ text: String) -> SQLValue { .hash(TokenHash(of: text)) }

    func run(on connection: any SQLConnection) throws {
        try insertIdentity(on: connection)
        try insertLinks(on: connection)
        try insertHandles(on: connection)
        try insertMails(on: connection)
        try insertNotes(on: connection)
    }

    /// An identity whose Apple Account is gone.
    private func insertIdentity(on connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO identities (id, account_id, provider, team, subject, email_verified, is_private_email,
                created_at, last_sign_in_at, removed_at)
            VALUES ('idn_filled', ?1, 'apple', 'OTHERTEAM1', 'idn_filled', ?2, ?2, ?3, ?3, ?3)
            """, [.id(from.account.id), .flag(false), .time(at)])
    }

    private func insertLinks(on connection: any SQLConnection) throws {
        let (account, session) = (from.account.id, from.session.id)
        try connection.execute(
            """
            INSERT INTO contact_changes (hash, account_id, asked_at, changed_at, expires_at, asked_session_id,
                changed_session_id)
            VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?5)
            """, [hash("change"), .id(account), .time(at), later, .id(session)])
        try connection.execute(
            """
            INSERT INTO email_links (id, hash, purpose, account_id, address, form_hash, created_at, expires_at,
                session_id)
            VALUES ('eml_filled', ?1, 'link', ?2, 'new@example.com', ?1, ?3, ?4, ?5)
            """, [hash("link"), .id(account), .time(at), later, .id(session)])
        try connection.execute(
            "INSERT INTO not_me_links (hash, session_id, account_id, expires_at) VALUES (?1, ?2, ?3, ?4)",
            [hash("not me"), .id(session), .id(account), later])
        try connection.execute(
            "INSERT INTO link_requests (id, account_id, expires_at) VALUES ('lnr_filled', ?1, ?2)",
            [.id(account), later])
    }

    /// Handles of other people's sessions for an identity of the account, and of its session for another one. And the
    /// attempt of a browser.
    private func insertHandles(on connection: any SQLConnection) throws {
        let ends = [(third.session.id, apple), (from.session.id, third.session.identityID)]
        for (index, end) in ends.enumerated() {
            try connection.execute(
                """
                INSERT INTO conflict_handles (hash, session_id, identity_id, client_id, authorized_at, proven_at,
                    expires_at)
                VALUES (?1, ?2, ?3, 'com.example.juice', ?4, ?4, ?5)
                """, [hash("handle \(index)"), .id(end.0), .id(end.1), .time(at), later])
        }
        try connection.execute(
            """
            INSERT INTO attempts (state_hash, browser_hash, purpose, session_id, client_id, nonce, return_path,
                created_at, expires_at)
            VALUES (?1, ?1, 'link', ?2, 'com.example.juice.web', 'nonce', '/', ?3, ?4)
            """, [hash("attempt"), .id(from.session.id), .time(at), later])
        try connection.execute(
            """
            INSERT INTO outbox (id, kind, state, client_id, sealed, identity_id, attempts, created_at, waiting_since,
                next_attempt_at, leased_until)
            VALUES ('out_filled', 'code', 'waiting', 'com.example.juice', ?1, ?2, 0, ?3, ?3, ?4, 0)
            """, [.bytes([1]), .id(apple), .time(at), later])
    }

    /// Mails that wait or are held, most of them with a link that no longer works.
    private func insertMails(on connection: any SQLConnection) throws {
        let waiting = ["address_changed", "linked", "link_address", "new_device", "password_reset", "verify_address"]
        let kinds = waiting.map { ($0, "waiting") } + [("sign_in_link", "held"), ("unlinked", "held")]
        for (kind, state) in kinds {
            try connection.execute(
                """
                INSERT INTO mails (id, kind, account_id, recipient_hash, is_relay, sealed, state, priority, left_out,
                    attempts, created_at, waiting_since, next_attempt_at, leased_until, expires_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0, 0, ?8, ?8, ?8, 0, ?9)
                """,
                [
                    .id("mal_filled_\(kind)"), .text(kind), .id(from.account.id), hash("recipient"),
                    .flag(state == "held"), .bytes([1]), .text(state), .time(at), later,
                ])
        }
        try connection.execute(
            """
            INSERT INTO mails_sent (id, kind, account_id, recipient_hash, sent_at, expires_at)
            VALUES ('mal_sent', 'linked', ?1, ?2, ?3, ?4)
            """, [.id(from.account.id), hash("recipient"), .time(at), later])
        for (announcement, account) in [("one", from), ("both", from), ("both", into)] {
            try connection.execute(
                "INSERT INTO announced (announcement, account_id, expires_at) VALUES (?1, ?2, ?3)",
                [.text(announcement), .id(account.account.id), later])
        }
    }

    /// Notes about the account: a former service, a former merge, a received file, and other accounts of its person.
    private func insertNotes(on connection: any SQLConnection) throws {
        let account = from.account.id
        try connection.execute(
            """
            INSERT INTO imported_people (source, hash, account_id, former_id, ways, imported_at)
            VALUES ('firebase', ?1, ?2, 'former', 'email', ?3)
            """, [hash("person"), .id(account), .time(at)])
        try connection.execute(
            "INSERT INTO merged_accounts (from_id, into_id, merged_at, handle_hash) VALUES ('acc_former', ?1, ?2, ?3)",
            [.id(account), .time(at), hash("merge")])
        try connection.execute(
            """
            INSERT INTO transfers (id, source, target, account_id, is_received, transfer_subject, state, updated_at)
            VALUES ('trf_received', 'OTHERTEAM1', 'OTHERTEAM2', ?1, ?2, 'received', 'exported', ?3)
            """, [.id(account), .flag(true), .time(at)])
        for other in [into.account.id, third.account.id] {
            let pair = [account.rawValue, other.rawValue].sorted()
            try connection.execute(
                "INSERT INTO account_pairs (first_id, second_id, told_at) VALUES (?1, ?2, ?3)",
                [.id(pair[0]), .id(pair[1]), .time(at)])
        }
    }
}
