#if PostgreSQL
    import AccountDatabase
    import AccountPostgres
    import TaskSignals

    /// A database on the tests' server that one test has until the last reference to it is gone: tests don't close
    /// databases, and connections are few.
    final class HeldDatabase: SQLDatabase {
        private static let turns = Turns(24)

        private let database: PostgresDatabase
        /// The schema to give back afterwards; nil for a database that no other test can have.
        private let schema: MigratedSchema?
        private let isClosed = Lock(false)

        private init(_ database: PostgresDatabase, of schema: MigratedSchema? = nil) {
            self.database = database
            self.schema = schema
        }

        /// Every call holds a reference until it is answered, so nothing of the test runs any more.
        deinit {
            let reusable = isClosed.withLock { $0 } ? nil : schema
            Task { [database] in
                if let reusable {
                    await MigratedSchemas.shared.giveBack(reusable)
                } else {
                    await database.close()
                }
                await Self.turns.end()
            }
        }

        /// A database with all tables and no rows. A test takes one at most, because it may have to wait until another
        /// test is done.
        static func migrated() async throws -> HeldDatabase {
            try await inTurn {
                let schema = try await MigratedSchemas.shared.take()
                return HeldDatabase(schema.database, of: schema)
            }
        }

        /// A database without tables. A test takes one at most, as of ``migrated()``.
        static func empty() async throws -> HeldDatabase {
            try await inTurn { HeldDatabase(try await MigratedSchema.withNewSchema()) }
        }

        /// A database that a script of statements has filled.
        static func filled(by script: String) async throws -> HeldDatabase {
            let held = try await empty()
            try await held.write { connection in
                // Statements are made of literals alone, so the script goes another way.
                _ = try connection.query("SELECT set_config('siwa.script', ?1, true)", [.text(script)]) { _ in () }
                try connection.execute("DO 'BEGIN EXECUTE current_setting(''siwa.script''); END'")
            }
            return held
        }

        private static func inTurn(_ open: () async throws -> HeldDatabase) async throws -> HeldDatabase {
            try await turns.begin()
            do {
                return try await open()
            } catch {
                await turns.end()
                throw error
            }
        }

        func close() async {
            isClosed.withLock { $0 = true }
            await database.close()
            withExtendedLifetime(self) {}
        }

        var dialect: SQLDialect { database.dialect }

        func read<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            defer { withExtendedLifetime(self) {} }
            return try await database.read(body)
        }

        func lookUp<Value: Sendable>(
            _ statement: SQLStatement, _ values: [SQLValue],
            decode: @escaping @Sendable (inout SQLColumns) throws -> Value
        ) async throws -> [Value] {
            defer { withExtendedLifetime(self) {} }
            return try await database.lookUp(statement, values, decode: decode)
        }

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            defer { withExtendedLifetime(self) {} }
            return try await database.write(body)
        }

        func writeAlone<Value: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> Value
        ) async throws -> Value {
            defer { withExtendedLifetime(self) {} }
            return try await database.writeAlone(body)
        }
    }
#endif
