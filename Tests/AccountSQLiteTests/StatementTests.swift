import AccountDatabase
import AccountSQLite
import AccountService
import Testing

@Suite("Statements on SQLite")
struct StatementTests {
    @Test("A value of the wrong type is refused by the table")
    func strictTables() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let failure = await #expect(throws: SQLiteFailure.self) {
            try await store.database.write { connection in
                _ = try connection.execute(
                    "INSERT INTO belongs_to (singleton, apple) VALUES (1, ?1)", [.bytes([1, 2])])
            }
        }
        #expect(failure?.code == 3_091, "SQLITE_CONSTRAINT_DATATYPE")
    }

    @Test("A row that refers to nothing is refused")
    func foreignKeys() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let failure = await #expect(throws: SQLiteFailure.self) {
            try await store.database.write { try $0.execute(.orphan) }
        }
        #expect(failure?.code == 787, "SQLITE_CONSTRAINT_FOREIGNKEY")
    }

    @Test("The table refuses a malformed hash")
    func checks() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        var record = SignInRecord.numbered(1)
        record.session.secretHash = TokenHash(bytes: Array(repeating: 0, count: 31))
        await #expect(throws: SQLiteFailure.self) { try await store.signIn(record) }
        #expect(try await store.session(record.session.id) == nil)
        #expect(try await store.signIn(.numbered(1)).isNewAccount, "nothing of the failed sign-in was kept")
    }

    @Test("A second identity of one person is refused by the table")
    func uniqueIdentity() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        _ = try await store.signIn(.numbered(1))
        let failure = await #expect(throws: SQLiteFailure.self) {
            try await store.database.write { connection in
                _ = try connection.execute(
                    """
                    INSERT INTO identities (id, account_id, provider, team, subject, email_verified, is_private_email,
                        created_at, last_sign_in_at)
                    SELECT 'idn_copy', account_id, provider, team, subject, email_verified, is_private_email,
                        created_at, last_sign_in_at
                    FROM identities
                    """)
            }
        }
        #expect(failure?.message.contains("identities.subject") == true)
    }

    @Test("An error doesn't show the values of its statement")
    func privacy() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let failure = await #expect(throws: SQLiteFailure.self) {
            try await store.database.write { connection in
                _ = try connection.execute(
                    "INSERT INTO kept_names (team, subject, sealed, expires_at) VALUES (?1, '', ?2, 1)",
                    [.text("johnny@example.com"), .bytes(Array("secret".utf8))])
            }
        }
        var dumped = "\(try #require(failure)) \(String(reflecting: failure))"
        dump(failure, to: &dumped)
        #expect(dumped.contains("kept_names"))
        #expect(!dumped.contains("johnny") && !dumped.contains("secret"))
    }

    @Test("A body that hides a failed statement is undone, and its caller gets an error")
    func hiddenFailure() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        await #expect(throws: SQLiteFailure.self) {
            try await store.database.write { connection in
                _ = try connection.execute("INSERT INTO belongs_to (singleton, apple) VALUES (1, 'apple')")
                _ = try? connection.execute("INSERT INTO no_such_table VALUES (1)")
                _ = try? connection.execute("UPDATE belongs_to SET apple = 'emulator'")
            }
        }
        #expect(try await store.bind(toIssuer: "nobody before") == "nobody before")
    }

    @Test("A column is read as its own type, or not at all")
    func strictRows() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        func read(_ decode: @escaping @Sendable (inout SQLColumns) throws -> Void) async throws {
            _ = try await store.database.read { connection in
                try connection.query("SELECT 'text', 7, x'00', NULL", [], decode: decode)
            }
        }
        try await read { columns throws in
            #expect(try columns.text() == "text")
            #expect(try columns.int64() == 7)
            #expect(try columns.bytes() == [0])
            #expect(try columns.optionalText() == nil)
        }
        await #expect(throws: SQLRowError(column: 0, expected: "a number")) {
            try await read { _ = try $0.int64() }
        }
        await #expect(throws: SQLRowError(column: 1, expected: "a flag")) {
            try await read { columns throws in
                _ = try columns.text()
                _ = try columns.flag()
            }
        }
        await #expect(throws: SQLRowError(column: 3, expected: "text")) {
            try await read { columns throws in
                _ = try (columns.text(), columns.int64(), columns.bytes(), columns.text())
            }
        }
        await #expect(throws: SQLRowError(column: 4, expected: "there")) {
            try await read { columns throws in
                _ = try (columns.text(), columns.int64(), columns.bytes(), columns.optionalText(), columns.text())
            }
        }
    }

    @Test("Every kind of value is read back unchanged, even an empty one")
    func values() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let texts = ["", "a", "e\u{301}☃😀", String(repeating: "long ", count: 1_000)]
        let blobs: [[UInt8]] = [[], [0], Array(0...255)]
        for (text, blob) in zip(texts, blobs + [[7]]) {
            let row = try await store.database.read { connection in
                try connection.first(
                    "SELECT ?1, ?2, ?3, ?4, ?5, ?6",
                    [.text(text), .bytes(blob), .int64(.min), .int64(.max), .flag(true), .null]
                ) { columns in
                    try (
                        columns.text(), columns.bytes(), columns.int64(), columns.int64(), columns.flag(),
                        columns.optionalBytes()
                    )
                }
            }
            let read = try #require(row)
            #expect(read.0.utf8.elementsEqual(text.utf8))
            #expect(read.1 == blob)
            #expect((read.2, read.3) == (.min, .max))
            #expect(read.4)
            #expect(read.5 == nil)
        }
    }

    @Test("A statement needs exactly as many values as it has parameters", arguments: 0...3)
    func arity(count: Int64) async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let values = (0..<count).map { SQLValue.int64($0) }
        do {
            let sums = try await store.database.read { try $0.query("SELECT ?1 + ?2", values) { try $0.int64() } }
            #expect(sums == [1])
            #expect(count == 2)
        } catch let failure as SQLiteFailure {
            #expect(failure.code == 21, "SQLITE_MISUSE")
            #expect(count != 2)
        }
    }

    @Test("A reading body cannot write")
    func readingOnly() async throws {
        try await withStoreOnDisk { store in
            await #expect(throws: SQLDatabaseError(.unavailable, "")) {
                _ = try await store.database.read { try $0.execute("DELETE FROM belongs_to") }
            }
        }
    }

    @Test("If another server's sign-in comes first, a sign-in uses that account and makes none")
    func overtaken() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let first = try await store.signIn(.numbered(1))
        let late = try await AccountTransactions(on: OvertakenDatabase(base: store.database))
        let second = try await late.signIn(.numbered(2))
        #expect(!second.isNewAccount)
        #expect(second.account == first.account)
        #expect(second.session.identityID == first.session.identityID)
        let accounts = try await store.database.read { connection in
            try connection.query("SELECT id FROM accounts", []) { try $0.text() }
        }
        #expect(accounts == ["acc_1"])
    }
}

extension SQLStatement {
    static let orphan: Self = """
        INSERT INTO apple_tokens (id, identity_id, client_id, sealed, obtained_at) VALUES ('a', 'none', 'c', x'00', 1)
        """
}

/// A database on which another server inserts the person just after this one has looked.
private struct OvertakenDatabase: SQLDatabase {
    let base: any SQLDatabase

    var dialect: SQLDialect { base.dialect }

    func close() async throws { try await base.close() }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.write { try body(OvertakenConnection(base: $0)) }
    }

    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.writeAlone(body)
    }
}

/// The first look for an identity finds nothing: the other's transaction is not committed yet.
private final class OvertakenConnection: SQLConnection {
    private let base: any SQLConnection
    private var hasLooked = false

    init(base: any SQLConnection) {
        self.base = base
    }

    func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
        try base.execute(statement, values)
    }

    func lock(_ number: Int64) throws { try base.lock(number) }

    func eachRow(
        of statement: SQLStatement, _ values: [SQLValue], visit: (inout SQLColumns) throws -> Void
    ) throws {
        var values = values
        if !hasLooked, statement.text.contains("LEFT JOIN identities") {
            hasLooked = true
            // The question is about another person.
            values[1] = try .text("001999.nobody")
        }
        try base.eachRow(of: statement, values, visit: visit)
    }
}
