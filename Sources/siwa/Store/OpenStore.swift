import AccountSQLite
import AccountService
import Foundation
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
            let store: SQLiteAccountStore
            do {
                store = try await SQLiteAccountStore.open(path: path, logger: logger)
            } catch let error as AccountError where [.unavailable, .configuration].contains(error.code) {
                throw Failure(
                    "the database \(path): \(error.reason) \(Self.words(for: error, at: path))",
                    hint: "siwa needs to read and write the file and its folder; it is \(Setting.database.howToSet)")
            }
            return OpenStore(store: store, service: store.database) { try await store.database.close() }
        #if PostgreSQL
            case .postgres(let address, let connections):
                let store = try await PostgresAccountStore.open(
                    address: address, connections: connections, logger: logger)
                return OpenStore(store: store, service: store.database) { await store.database.close() }
        #endif
        }
    }

    /// The words of the system and SQLite about a file that doesn't open.
    private static func words(for error: AccountError, at path: String) -> String {
        var words: [String] = []
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        for place in [path, folder] where FileManager.default.fileExists(atPath: place) {
            guard unsafe access(place, R_OK | W_OK) != 0 else { continue }
            words.append("The system says of \(place): \(unsafe String(cString: strerror(errno))).")
        }
        if let failure = error.cause as? any DatabaseFailure { words.append("SQLite says: \(failure.words).") }
        if words.isEmpty, let cause = error.cause {
            let reason = (cause as? POSIXError).map { unsafe String(cString: strerror($0.code.rawValue)) }
            words.append("The system says: \(reason ?? cause.localizedDescription).")
        }
        return words.joined(separator: " ")
    }
}
