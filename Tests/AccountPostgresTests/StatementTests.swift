#if PostgreSQL
    import AccountDatabase
    import AccountPostgres
    import AccountService
    import Testing

    @Suite("Statements on PostgreSQL")
    struct StatementTests {
        @Test("A value of another type than its column's is refused by the server")
        func types() async throws {
            try await TestDatabase.withStore { store, _ in
                let failure = await #expect(throws: PostgresFailure.self) {
                    try await store.database.write { connection in
                        _ = try connection.execute(
                            "INSERT INTO belongs_to (singleton, apple) VALUES (?1, 'apple')", [.text("1")])
                    }
                }
                #expect(failure?.kind == .refused(state: "42804"))
            }
        }

        @Test("Every kind of value is read back unchanged, and null as null")
        func values() async throws {
            try await TestDatabase.withStore { store, _ in
                let texts = ["", "Ada", "Zoë 🍏 \u{1}\u{10FFFF}", String(repeating: "x", count: 100_000)]
                let numbers: [Int64] = [0, 1, -1, .max, .min, 255, -256]
                try await store.database.write { connection in
                    for text in texts {
                        let answer = try connection.first("SELECT ?1", [.text(text)]) { try $0.text() }
                        #expect(answer == text)
                        let bytes = try connection.first(
                            "SELECT ?1, ?2", [.bytes(Array(text.utf8)), .flag(text.isEmpty)]
                        ) {
                            try ($0.bytes(), $0.flag())
                        }
                        #expect(bytes?.0 == Array(text.utf8))
                        #expect(bytes?.1 == text.isEmpty)
                    }
                    for number in numbers {
                        #expect(try connection.first("SELECT ?1 + 0", [.int64(number)]) { try $0.int64() } == number)
                    }
                    let small = try connection.first("SELECT -7, (-8)::smallint, NULL", []) {
                        try ($0.int64(), $0.int64(), $0.optionalText())
                    }
                    #expect(small?.0 == -7 && small?.1 == -8 && small?.2 == nil)
                    let nothing: [SQLValue] = [.null, try .text(orNull: nil), .int64(orNull: nil)]
                    let nulls = try connection.first("SELECT ?1::text, ?2::bytea, ?3::bigint", nothing) {
                        try ($0.optionalText(), $0.optionalBytes(), $0.optionalInt64())
                    }
                    #expect(nulls?.0 == nil && nulls?.1 == nil && nulls?.2 == nil)
                }
            }
        }

        @Test("A column is read as its own type, or not at all")
        func strictRows() async throws {
            try await TestDatabase.withStore(connections: 1) { store, _ in
                func read(_ decode: @escaping @Sendable (inout SQLColumns) throws -> Void) async throws {
                    _ = try await store.database.read { connection in
                        try connection.query("SELECT 'text'::text, 7, '\\x00'::bytea, NULL::text", [], decode: decode)
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
                        _ = try (columns.text(), columns.int64(), columns.bytes(), columns.optionalText())
                        _ = try columns.text()
                    }
                }
            }
        }

        @Test("An error doesn't show the values of its statement")
        func privacy() async throws {
            try await TestDatabase.withStore { store, _ in
                let insert: SQLStatement =
                    "INSERT INTO kept_names (team, subject, sealed, expires_at) VALUES (?1, 'person', ?2, 1)"
                let values: [SQLValue] = [try .text("johnny@example.com"), .bytes(Array("secret".utf8))]
                try await store.database.write { _ = try $0.execute(insert, values) }
                let failure = await #expect(throws: PostgresFailure.self) {
                    try await store.database.write { _ = try $0.execute(insert, values) }
                }
                var dumped = "\(try #require(failure)) \(String(reflecting: failure))"
                dump(failure, to: &dumped)
                #expect(failure?.kind == .refused(state: "23505"))
                #expect(dumped.contains("kept_names"))
                #expect(!dumped.contains("johnny") && !dumped.contains("secret"))
            }
        }

        @Test("A body that hides a failed statement is undone, and its caller gets an error")
        func hiddenFailure() async throws {
            try await TestDatabase.withStore { store, _ in
                let failure = await #expect(throws: PostgresFailure.self) {
                    try await store.database.write { connection in
                        _ = try connection.execute("INSERT INTO belongs_to (singleton, apple) VALUES (1, 'apple')")
                        _ = try? connection.execute("INSERT INTO no_such_table VALUES (1)")
                        _ = try? connection.execute("UPDATE belongs_to SET apple = 'emulator'")
                    }
                }
                #expect(failure?.kind == .refused(state: "42P01"))
                let owner = try await store.bind(toIssuer: "nobody before")
                #expect(owner == "nobody before")
            }
        }

        @Test("An error of the body reaches the caller unchanged, and the body is undone")
        func thrown() async throws {
            struct Mine: Error {}
            try await TestDatabase.withStore { store, _ in
                await #expect(throws: Mine.self) {
                    try await store.database.write { connection in
                        _ = try connection.execute("INSERT INTO belongs_to (singleton, apple) VALUES (1, 'apple')")
                        throw Mine()
                    }
                }
                let owner = try await store.bind(toIssuer: "nobody before")
                #expect(owner == "nobody before")
            }
        }

        @Test("A reading body cannot write")
        func readingOnly() async throws {
            try await TestDatabase.withStore { store, _ in
                await #expect(throws: SQLDatabaseError(.unavailable, "")) {
                    _ = try await store.database.read { try $0.execute("DELETE FROM belongs_to") }
                }
            }
        }

        @Test("A connection is unusable after its body")
        func afterBody() async throws {
            struct Kept: @unchecked Sendable { let connection: any SQLConnection }  // Used on one thread at a time.
            try await TestDatabase.withStore { store, _ in
                let kept = try await store.database.read { Kept(connection: $0) }
                #expect(throws: PostgresFailure.self) { try kept.connection.execute("SELECT 1") }
            }
        }
    }
#endif
