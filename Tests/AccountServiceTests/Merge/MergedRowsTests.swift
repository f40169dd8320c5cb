import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The rows of a merged account", .eachEngine)
struct MergedRowsTests {
    /// The tables whose rows name accounts, sessions or identities.
    private static let naming: [SQLStatement] = [
        "account_events", "account_notices", "account_pairs", "accounts", "announced", "apple_notifications",
        "apple_tokens", "attempts", "audit", "conflict_handles", "consents", "contact_changes", "email_links",
        "identities", "imported_people", "link_requests", "mails", "mails_sent", "merged_accounts", "not_me_links",
        "outbox", "passwords", "sessions", "transfers",
    ]
    /// The tables whose rows name none of these.
    private static let others: [SQLStatement] = [
        "apple_key_set", "authorizations", "belongs_to", "deletions", "forgotten_people", "hooks", "kept_names",
        "migrations", "password_failures", "providers", "server_keys", "spent", "stopped_checks", "wrong_codes",
    ]
    /// The columns that name the account after the merge, too: its events and notices, the note of the merge, the last
    /// entry of its audit, the event and the entry of the remaining account, and transfers, whose files may name it.
    private static let lasting: Set = [
        "account_events.account_id", "account_events.about", "account_notices.account_id", "audit.account_id",
        "audit.subject", "merged_accounts.from_id", "transfers.account_id",
    ]

    /// The tables whose rows a merge leaves as they are: they are about people, sessions and identities.
    private static let staying: [SQLStatement] = [
        "apple_tokens", "attempts", "outbox", "password_failures", "passwords", "transfers",
    ]

    @Test("name the remaining account or are deleted, in every column of the schema")
    func rows() async throws {
        let system = try await PasswordSystem.withProviders()
        let filled = try await FilledAccount(in: system)
        let (from, into) = (filled.from.account.id, filled.into.account.id)
        let schema = try await system.schema()
        #expect(
            Set(schema.keys) == Set((Self.naming + Self.others).map(\.text)),
            "Add a new table to a list. If its rows name accounts, fill one, and move or forget it in a merge.")
        let handle = try await system.handle(in: filled.into, hidesEmail: true)
        let plan = try await system.merges.plan(with: handle, in: filled.into)
        let named = try await system.columns(
            of: Self.naming + Self.others, in: schema, naming: try await filled.names())
        let filledTables = Set(named.map { column in String(column.prefix { $0 != "." }) })
        #expect(filledTables == Set(Self.naming.map(\.text)), "Fill a row of each table.")
        let moving = try await system.counts(of: FilledAccount.moved, naming: from)
        let staying = try await system.counts(of: Self.staying)

        try await system.merge(handle, plan.confirmation, into: filled.into, consent: system.consentText)
        #expect(try await system.columns(of: Self.naming, in: schema, naming: [from.rawValue]) == Self.lasting)
        let arrived = try await system.counts(of: FilledAccount.moved, naming: into)
        for (table, count) in moving {
            #expect(count > 0 && arrived[table] == count + (FilledAccount.ofInto[table] ?? 0), "\(table)")
        }
        for table in ["account_pairs", "conflict_handles", "email_links", "not_me_links"] as [SQLStatement] {
            #expect(try await system.count(table) == 0, "\(table)")
        }
        #expect(staying.values.allSatisfy { $0 > 0 })
        #expect(try await system.counts(of: Self.staying) == staying)
        #expect(try await system.audit(of: from) == [.accountMerged])
        #expect(try await system.audit(of: into).isSuperset(of: [.accountMerged, .identityLinked, .signedIn]))
    }

    @Test("that are mails are sent if their link still works")
    func mails() async throws {
        let system = try await PasswordSystem.withProviders()
        let filled = try await FilledAccount(in: system)
        try await system.merge(into: filled.into, hidesEmail: true, consent: system.consentText)
        let left = try await system.store.read { connection in
            try connection.query(
                "SELECT id FROM mails WHERE account_id = ?1 ORDER BY id", [.id(filled.into.account.id)]
            ) { try $0.text() }
        }
        // The link that takes a change of the contact address back has moved.
        let kept = ["address_changed", "linked", "unlinked"].map { "mal_filled_\($0)" }
        #expect(left.filter { $0.hasPrefix("mal_filled") } == kept)
    }

    @Test("that announce the same to both accounts become one")
    func announced() async throws {
        let system = try await PasswordSystem.withProviders()
        let filled = try await FilledAccount(in: system)
        try await system.merge(into: filled.into, hidesEmail: true, consent: system.consentText)
        let announced = try await system.store.read { connection in
            try connection.query(
                "SELECT announcement FROM announced WHERE account_id = ?1 ORDER BY announcement",
                [.id(filled.into.account.id)]
            ) { try $0.text() }
        }
        #expect(announced == ["both", "one"])
    }
}

extension PasswordSystem {
    /// The columns of each table, in their order.
    fileprivate func schema() async throws -> [String: [String]] {
        let columns = Engine.current.columns
        let rows = try await store.read { connection in
            try connection.query(columns, []) { try ($0.text(), $0.text()) }
        }
        return Dictionary(grouping: rows) { $0.0 }.mapValues { $0.map(\.1) }
    }

    /// The columns, as `table.column`, in which a row holds one of these texts.
    fileprivate func columns(
        of tables: [SQLStatement], in schema: [String: [String]], naming texts: Set<String>
    ) async throws -> Set<String> {
        try await store.read { connection in
            var found: Set<String> = []
            for table in tables {
                let columns = schema[table.text] ?? []
                try connection.eachRow(of: "SELECT * FROM \(table)", []) { row in
                    for column in columns {
                        // A number is passed over. Reading it as a text fails, and goes on to the next column.
                        if let text = try? row.optionalText(), texts.contains(text) {
                            found.insert("\(table).\(column)")
                        }
                    }
                }
            }
            return found
        }
    }

    fileprivate func counts(of tables: [SQLStatement]) async throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for table in tables { counts[table.text] = try await count(table) }
        return counts
    }

    /// How many rows of each table name an account.
    fileprivate func counts(
        of tables: [(table: SQLStatement, column: SQLStatement)], naming account: AccountID
    ) async throws -> [String: Int64] {
        try await store.read { connection in
            var counts: [String: Int64] = [:]
            for (table, column) in tables {
                counts[table.text] = try connection.first(
                    "SELECT count(*) FROM \(table) WHERE \(column) = ?1", [.id(account)]
                ) { try $0.int64() }
            }
            return counts
        }
    }
}

extension Engine {
    /// Each table with each of its columns, in the order of `SELECT *`.
    fileprivate var columns: SQLStatement {
        switch self {
        case .sqlite:
            """
            SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'
            ORDER BY t.name, c.cid
            """
        #if PostgreSQL
            case .postgres:
                """
                SELECT CAST(table_name AS text), CAST(column_name AS text) FROM information_schema.columns
                WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position
                """
        #endif
        }
    }
}
