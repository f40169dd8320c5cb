#if PostgreSQL
    import AccountDatabase
    import AccountPostgres
    import AccountService
    import Foundation
    import Logging
    import Testing

    /// The schemas with all tables on the tests' server that no test has at the moment.
    ///
    /// A schema takes 100 ms to make and 5 ms to clear, so a test gets one that another test has used. The server that
    /// `Tests/with-postgres` has started goes with all that it holds, so no schema is ever removed.
    actor MigratedSchemas {
        /// The schemas of this process.
        static let shared = MigratedSchemas()

        private static let logger = Logger(label: "postgres")

        private var free: [MigratedSchema] = []

        /// Takes a schema without rows, which the caller has for itself until it gives it back.
        func take() async throws -> MigratedSchema {
            if !free.isEmpty { return free.removeFirst() }
            return try await MigratedSchema.make()
        }

        /// Takes a schema back, whose database does nothing any more. If it cannot be cleared, no test gets it again.
        func giveBack(_ schema: MigratedSchema) async {
            do {
                if try await schema.clear() {
                    free.append(schema)
                    return
                }
                Self.logger.info("A test has changed the tables of its schema. No other test gets it.")
            } catch {
                Self.logger.warning("A schema was not cleared. No other test gets it.", metadata: ["error": "\(error)"])
            }
            await schema.database.close()
        }
    }

    /// A schema of the tests' server with all tables, and connections to it.
    struct MigratedSchema: Sendable {
        /// How many connections a test's database has.
        static let connections = 3

        let database: PostgresDatabase
        /// The tables, their columns and indexes, and the migrations, as they were made.
        private let shape: String

        /// Makes a schema and brings it up to date.
        static func make() async throws -> MigratedSchema {
            let database = try await withNewSchema()
            do {
                // No row is there that a migration could mend, so the time does not matter.
                try await database.migrate(AccountSchema.migrations, at: 0)
                let shape = try await database.read { try Self.readShape($0) }
                return MigratedSchema(database: database, shape: shape)
            } catch {
                await database.close()
                throw error
            }
        }

        /// Removes all rows but those of `migrations`.
        /// - Returns: false if the schema isn't as it was made.
        func clear() async throws -> Bool {
            try await database.write { connection in
                try connection.execute(.clearTables)
                return try Self.readShape(connection) == shape
            }
        }

        private static func readShape(_ connection: any SQLConnection) throws -> String {
            let shape = try connection.first(.shapeOfTables, []) { try $0.text() }
            return try #require(shape)
        }

        /// A database whose connections have a schema of their own without tables. It is as good as a database of its
        /// own, and made sooner.
        static func withNewSchema() async throws -> PostgresDatabase {
            let server = try #require(
                ProcessInfo.processInfo.environment["SIWA_POSTGRES"],
                "these tests need a server; `make unit` starts one, and so does Tests/with-postgres")
            let name = "test_\(UInt64.random(in: 1 ... .max))"
            let database = try PostgresDatabase(address: server, connections: 1, logger: Logger(label: "postgres"))
            do {
                // Statements are made of literals alone, so the name goes another way.
                try await database.write { connection in
                    _ = try connection.query("SELECT set_config('siwa.schema', ?1, true)", [.text(name)]) { _ in () }
                    try connection.execute(
                        "DO 'BEGIN EXECUTE format(''CREATE SCHEMA %I'', current_setting(''siwa.schema'')); END'")
                }
            } catch {
                await database.close()
                throw error
            }
            await database.close()
            return try PostgresDatabase(
                address: "\(server)?options=-csearch_path%3D\(name)", connections: connections,
                logger: Logger(label: "postgres"))
        }
    }

    extension SQLStatement {
        /// Empties the tables that have pages. In the replica's role foreign keys do not matter.
        ///
        /// TRUNCATE makes new files for a table and its indexes, and for all tables that refer to it: it takes ten times
        /// as long as DELETE. Deleted rows leave their places behind, so it takes its turn once a table has more than
        /// one page. Then rows lie in the order in which they were inserted, as in a new table.
        fileprivate static let clearTables: Self = """
            DO 'DECLARE filled regclass; BEGIN
                SET LOCAL session_replication_role = replica;
                FOR filled IN
                    SELECT oid FROM pg_class
                    WHERE relnamespace = current_schema()::regnamespace AND relkind = ''r'' AND relname <> ''migrations''
                        AND pg_relation_size(oid) > 0
                LOOP
                    EXECUTE format(
                        CASE WHEN pg_relation_size(filled) > current_setting(''block_size'')::bigint
                            THEN ''TRUNCATE %s CASCADE'' ELSE ''DELETE FROM %s'' END,
                        filled);
                END LOOP;
            END'
            """

        /// A hash of the names of tables and indexes, the numbers of their columns, and the migrations that ran.
        fileprivate static let shapeOfTables: Self = """
            SELECT md5(
                string_agg(
                    concat_ws(' ', relname, relkind, relnatts, relchecks, relhastriggers), ',' ORDER BY relname)
                || (SELECT string_agg(name, ',' ORDER BY name) FROM migrations))
            FROM pg_class WHERE relnamespace = current_schema()::regnamespace
            """
    }
#endif
