#if PostgreSQL
    import AccountDatabase
    import AccountPostgres
    import AccountService
    import Testing

    @testable import AccountEngines

    extension SQLStatement {
        fileprivate static let countRows: Self = """
            SELECT (SELECT count(*) FROM accounts) + (SELECT count(*) FROM identities) + (SELECT count(*) FROM sessions)
                + (SELECT count(*) FROM spent)
            """
    }

    @Suite("Reused schemas of tests", .timeLimit(.minutes(1)))
    struct ReusedSchemaTests {
        @Test("A test gets the schema of another test without its rows")
        func cleared() async throws {
            let schema = try await used()
            // The schema comes back some time after the last reference to the store is gone.
            while true {
                let store = try await Engine.postgres.store()
                let (rows, itsSchema) = try await (count(in: store.database), name(of: store.database))
                #expect(rows == 0)
                if itsSchema == schema { return }
            }
        }

        @Test(
            "Rows are removed even if others refer to them, however many they are",
            arguments: [1, 1_000] as [Int64])
        func rows(number: Int64) async throws {
            let schema = try await MigratedSchema.make()
            try await schema.database.write { connection in
                try connection.execute(
                    """
                    INSERT INTO accounts (id, revision, created_at)
                    SELECT 'acc_' || n, 1, 1 FROM generate_series(1, CAST(?1 AS bigint)) AS n
                    """, [.int64(number)])
                try connection.execute(
                    """
                    INSERT INTO identities (id, account_id, provider, team, subject, email_verified, is_private_email,
                        created_at, last_sign_in_at)
                    SELECT 'idt_' || n, 'acc_' || n, 'apple', 'TEAM000001', CAST(n AS text), false, false, 1, 1
                    FROM generate_series(1, CAST(?1 AS bigint)) AS n
                    """, [.int64(number)])
            }
            let before = try await count(in: schema.database)
            #expect(before == 2 * number)
            let isAsMade = try await schema.clear()
            let after = try await count(in: schema.database)
            #expect(isAsMade && after == 0)
            await schema.database.close()
        }

        @Test(
            "A schema whose tables or migrations a test has changed is not used again",
            arguments: [
                "CREATE TABLE more (id BIGINT NOT NULL)", "ALTER TABLE accounts ADD COLUMN more BIGINT",
                "CREATE INDEX more ON accounts (created_at)", "DELETE FROM migrations WHERE name = 'imports'",
            ] as [SQLStatement])
        func changed(by statement: SQLStatement) async throws {
            let schema = try await MigratedSchema.make()
            _ = try await schema.database.write { try $0.execute(statement) }
            let isAsMade = try await schema.clear()
            #expect(!isAsMade)
            await schema.database.close()
        }

        /// The name of a schema that has rows when this returns, and no user.
        private func used() async throws -> String {
            let store = try await Engine.postgres.store()
            _ = try await store.signIn(.sample())
            let rows = try await count(in: store.database)
            #expect(rows > 0)
            return try await name(of: store.database)
        }

        private func count(in database: some SQLDatabase) async throws -> Int64 {
            let count = try await database.read { try $0.first(.countRows, []) { try $0.int64() } }
            return try #require(count)
        }

        private func name(of database: some SQLDatabase) async throws -> String {
            let names = try await database.read { connection in
                try connection.query("SELECT CAST(current_schema() AS text)", []) { try $0.text() }
            }
            return try #require(names.first)
        }
    }
#endif
