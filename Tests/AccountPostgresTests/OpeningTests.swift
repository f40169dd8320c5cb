#if PostgreSQL
    import AccountDatabase
    import AccountPostgres
    import AccountService
    import Logging
    import Testing

    @Suite("Opening a PostgreSQL store")
    struct OpeningTests {
        @Test("All data are there after closing and opening again, and from another server")
        func reopening() async throws {
            try await TestDatabase.run { database in
                let first = try await AccountTransactions.open(.postgres(database.address(), connections: 2))
                #expect(try await first.bind(toIssuer: "apple") == "apple")
                let second = try await AccountTransactions.open(.postgres(database.address(), connections: 2))
                #expect(try await second.bind(toIssuer: "http://127.0.0.1:4010") == "apple")
                try await first.database.close()
                try await second.database.close()
                let third = try await AccountTransactions.open(.postgres(database.address(), connections: 2))
                #expect(try await third.bind(toIssuer: "http://127.0.0.1:4010") == "apple")
                try await third.database.close()
            }
        }

        @Test("Ten servers that open a new database at once all find it ready")
        func openingAtOnce() async throws {
            try await TestDatabase.run { database in
                let address = try database.address()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<10 {
                        group.addTask {
                            let store = try await AccountTransactions.open(.postgres(address, connections: 2))
                            try await store.check()
                            try await store.database.close()
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        @Test("A database that a newer program has opened is refused and left alone")
        func newerDatabase() async throws {
            try await TestDatabase.withStore { store, database in
                _ = try await store.database.write { connection in
                    try connection.execute("INSERT INTO migrations (name) VALUES ('from the future')")
                }
                for _ in 0..<2 {
                    await #expect(throws: AccountError(.databaseTooNew, "")) {
                        _ = try await AccountTransactions.open(.postgres(database.address(), connections: 1))
                    }
                }
            }
        }

        @Test("A server that answers before data is on disk is refused")
        func synchronousCommit() async throws {
            try await TestDatabase.run { database in
                try await TestDatabase.run("ALTER DATABASE \(database.name) SET synchronous_commit = off")
                let error = await #expect(throws: AccountError.self) {
                    _ = try await AccountTransactions.open(.postgres(database.address(), connections: 1))
                }
                #expect(error?.code == .configuration)
                #expect(error?.reason.contains("synchronous_commit") == true)
            }
        }

        @Test("A database in another encoding is refused")
        func encoding() async throws {
            let name = "latin_\(UInt64.random(in: .min ... .max))"
            try await TestDatabase.run(
                "CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
            let database = TestDatabase(name: name)
            let error = await #expect(throws: AccountError.self) {
                _ = try await AccountTransactions.open(.postgres(database.address(), connections: 1))
            }
            #expect(error?.code == .configuration)
            try await TestDatabase.run("DROP DATABASE \(name) WITH (FORCE)")
        }

        @Test("A missing server and a missing database are unavailable")
        func absent() async throws {
            let nowhere = TestDatabase(name: "not_there")
            for address in [try nowhere.address(), "postgres://siwa@127.0.0.1:1/siwa"] {
                let error = await #expect(throws: AccountError.self) {
                    _ = try await AccountTransactions.open(.postgres(address, connections: 1))
                }
                #expect(error?.code == .unavailable)
            }
        }

        @Test("Identifiers and texts are sorted byte by byte, whatever the database's locale")
        func collation() async throws {
            try await TestDatabase.withStore { store, _ in
                let words = ["b", "B", "a", "Z", "é", "_"]
                let sorted = try await store.database.write { connection in
                    for word in words {
                        _ = try connection.execute(
                            "INSERT INTO kept_names (team, subject, sealed, expires_at) VALUES (?1, 's', ?2, 1)",
                            [.text(word), .bytes([1])])
                    }
                    return try connection.query("SELECT team FROM kept_names ORDER BY team", []) { try $0.text() }
                }
                #expect(sorted == ["B", "Z", "_", "a", "b", "é"])
            }
        }
    }
#endif
