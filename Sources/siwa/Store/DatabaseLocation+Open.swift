import AccountDatabase
import AccountSQLite
import AccountService
import CommandIO
import Foundation
import Logging

#if PostgreSQL
    import AccountPostgres
#endif

extension DatabaseLocation {
    /// Opens the database and brings its schema up to date.
    func open(logger: Logger) async throws -> AccountTransactions {
        try await explainingFailure { try await AccountTransactions.open(storage, logger: logger) }
    }

    /// Opens the database for a command that only reads, and changes nothing there.
    /// - Returns: ``DatabaseAsItIs/empty`` also where there is no database.
    func openAsItIs(logger: Logger) async throws -> DatabaseAsItIs {
        // Opening would make the file, and would write into an empty one.
        if case .file(let path) = self {
            guard FileManager.default.fileExists(atPath: path) else { return .empty }
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            guard size != 0 else { return .empty }
        }
        return try await explainingFailure { try await AccountTransactions.openAsItIs(storage, logger: logger) }
    }

    /// Opens the database for a command that only reads and needs tables. It changes nothing there.
    /// - Throws: ``Failure`` if there are no tables, or those of an older siwa.
    func openForReading(logger: Logger) async throws -> AccountTransactions {
        switch try await openAsItIs(logger: logger) {
        case .current(let store): return store
        case .older: throw Failure.olderTables()
        case .empty:
            throw Failure(
                "the database has no tables yet",
                hint: "start siwa serve, which makes them; the database is \(Setting.database.howToSet)")
        }
    }

    /// The engine and the address that open the database.
    var storage: AccountStorage {
        switch self {
        case .file(let path): .sqlite(path)
        #if PostgreSQL
            case .postgres(let address, let password, let connections):
                .postgres(address, password: password, connections: connections)
        #endif
        }
    }

    /// Adds the words of the system and SQLite to a failure to open a file.
    private func explainingFailure<Opened>(_ open: () async throws -> Opened) async throws -> Opened {
        do {
            return try await open()
        } catch let error as AccountError where [.unavailable, .configuration].contains(error.code) {
            guard case .file(let path) = self else { throw error }
            throw Failure(
                "the database \(path): \(error.reason) \(Self.words(for: error, at: path))",
                hint: "siwa needs to read and write the file and its folder; it is \(Setting.database.howToSet)")
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
        if let said = error.wordsOfDatabase { words.append("SQLite says: \(said).") }
        if words.isEmpty, let cause = error.cause {
            let reason = (cause as? POSIXError).map { unsafe String(cString: strerror($0.code.rawValue)) }
            words.append("The system says: \(reason ?? cause.localizedDescription).")
        }
        return words.joined(separator: " ")
    }
}

extension Failure {
    /// The failure of a command that only reads, if the database has the tables of an older siwa.
    /// - Parameter alternative: What a person can do instead of starting `siwa serve`, for the hint.
    static func olderTables(or alternative: String? = nil) -> Failure {
        Failure(
            "the database has the tables of an older siwa",
            hint: "start siwa serve of this version, which brings them up to date"
                + (alternative.map { "; \($0)" } ?? ""))
    }
}
