import AccountSQLite
import AccountService
import Logging
import ServiceLifecycle

#if PostgreSQL
    import AccountPostgres
#endif

/// An open store, whichever engine keeps it.
struct OpenStore: Sendable {
    let store: any AccountStore
    /// Closes the store when it ends: put it before the services that use the store.
    let service: any Service
    /// Closes the store where no service group does.
    let close: @Sendable () async throws -> Void
}

extension DatabaseLocation {
    /// Opens the store and brings its schema up to date.
    func open(logger: Logger) async throws -> OpenStore {
        switch self {
        case .file(let path):
            let store = try await SQLiteAccountStore.open(path: path, logger: logger)
            return OpenStore(store: store, service: store.database) { try await store.database.close() }
        #if PostgreSQL
            case .postgres(let address, let connections):
                let store = try await PostgresAccountStore.open(
                    address: address, connections: connections, logger: logger)
                return OpenStore(store: store, service: store.database) { await store.database.close() }
        #endif
        }
    }
}
