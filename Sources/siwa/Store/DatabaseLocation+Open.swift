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
        switch self {
        case .file(let path):
            do {
                return try await AccountTransactions.open(.sqlite(path), logger: logger)
            } catch let error as AccountError where [.unavailable, .configuration].contains(error.code) {
                throw Failure(
                    "the database \(path): \(error.reason) \(Self.words(for: error, at: path))",
                    hint: "siwa needs to read and write the file and its folder; it is \(Setting.database.howToSet)")
            }
        #if PostgreSQL
            case .postgres(let address, let password, let connections):
                return try await AccountTransactions.open(
                    .postgres(address, password: password, connections: connections), logger: logger)
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
        if let said = error.wordsOfDatabase { words.append("SQLite says: \(said).") }
        if words.isEmpty, let cause = error.cause {
            let reason = (cause as? POSIXError).map { unsafe String(cString: strerror($0.code.rawValue)) }
            words.append("The system says: \(reason ?? cause.localizedDescription).")
        }
        return words.joined(separator: " ")
    }
}
