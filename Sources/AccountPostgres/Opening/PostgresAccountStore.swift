#if PostgreSQL
    // The store's members are declared there, and whoever opens a store uses them.
    @_exported public import AccountSQL
    import AccountService
    public import Logging

    /// The account store on PostgreSQL. Its ``AccountSQL/SQLAccountStore/database`` is a service, and is what one
    /// closes.
    public typealias PostgresAccountStore = SQLAccountStore<PostgresDatabase>

    extension SQLAccountStore where Database == PostgresDatabase {
        /// Opens the store in a database that is there, and brings its schema up to date.
        ///
        /// - Parameters: as ``PostgresDatabase/init(address:connections:logger:)`` has them.
        /// - Throws: `AccountError` with the code `configuration` for an address or a server that will not do,
        ///   `unavailable` for one that cannot be reached, and `databaseTooNew` for a database that a newer program has
        ///   opened.
        public static func open(
            address: String, connections: Int = 8, logger: Logger = Logger(label: "siwa.postgres")
        ) async throws -> Self {
            try await opened(PostgresDatabase(address: address, connections: connections, logger: logger))
        }

        static func opened(_ database: PostgresDatabase) async throws -> Self {
            do {
                return try await Self(on: database)
            } catch {
                await database.close()
                throw error
            }
        }
    }
#endif
