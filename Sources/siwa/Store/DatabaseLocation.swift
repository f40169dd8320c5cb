import AccountDatabase
import AccountService

#if PostgreSQL
    import AccountPostgres
#endif

/// Where the accounts are kept: what `--database` says.
enum DatabaseLocation: Sendable, Hashable {
    /// A SQLite file.
    case file(String)
    #if PostgreSQL
        /// A PostgreSQL server. The address may hold a password, so it is never shown.
        case postgres(address: String, connections: Int)
    #endif

    static let standard = Self.file("siwa.sqlite")

    /// How many connections to a database server are open at most.
    var connections: Int {
        switch self {
        case .file: 0
        #if PostgreSQL
            case .postgres(_, let connections): connections
        #endif
        }
    }

    /// Reads ``Setting/database`` and ``Setting/databaseConnections``; nil after a problem, which is reported.
    static func read(_ reader: inout SettingsReader) -> Self? {
        let before = reader.problems.count
        let text = reader.text(.database, isSecret: true)
        let connections = reader.count(.databaseConnections, in: 1...200)
        guard reader.problems.count == before, !reader.isRefused(.database) else { return nil }
        guard let text, let scheme = scheme(of: text) else {
            if connections != nil {
                reader.report(.databaseConnections, "is for PostgreSQL; a SQLite file needs no number of connections")
                return nil
            }
            return text.map(Self.file) ?? standard
        }
        guard scheme == "postgres" || scheme == "postgresql" else {
            reader.report(
                .database, "`\(scheme)://` is no database for siwa: it takes the path of a SQLite file, or postgres://…"
            )
            return nil
        }
        #if PostgreSQL
            do {
                try PostgresDatabase.check(address: text)
            } catch {
                reader.report(.database, error.reason)
                return nil
            }
            return .postgres(address: text, connections: connections ?? PostgresDatabase.standardConnections)
        #else
            reader.report(
                .database,
                "this siwa was built without PostgreSQL: build it with `swift build --traits PostgreSQL`, or give the "
                    + "path of a SQLite file")
            return nil
        #endif
    }

    /// What stands before `://`; nil for a path.
    private static func scheme(of text: String) -> String? {
        guard let end = text.firstRange(of: "://")?.lowerBound, end > text.startIndex,
            text[..<end].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return String(text[..<end])
    }
}
