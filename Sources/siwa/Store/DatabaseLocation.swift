import AccountDatabase
import AccountService

#if PostgreSQL
    import AccountPostgres
#endif

/// The place of the accounts, as `--database` names it.
enum DatabaseLocation: Sendable {
    /// A SQLite file.
    case file(String)
    #if PostgreSQL
        /// A PostgreSQL server. The address may hold a password, so it is never shown; where it holds none, there may be
        /// one beside it.
        case postgres(address: String, password: PostgresPassword?, connections: Int)
    #endif

    static let standard = Self.file("siwa.sqlite")

    /// How many connections to a database server are open at most.
    var connections: Int {
        switch self {
        case .file: 0
        #if PostgreSQL
            case .postgres(_, _, let connections): connections
        #endif
        }
    }

    #if PostgreSQL
        /// The password beside the address of a PostgreSQL server; nil where none was given so.
        private var password: PostgresPassword? {
            guard case .postgres(_, let password, _) = self else { return nil }
            return password
        }
    #endif

    /// Adopts the password of settings that were read again, for connections that open from now on.
    /// - Returns: false where one of the two has none. Then nothing has changed.
    func takePassword(from other: Self) -> Bool {
        #if PostgreSQL
            guard let password, let new = other.password else { return false }
            password.replace(with: new)
            return true
        #else
            return false
        #endif
    }

    /// Reads ``Setting/database``, ``Setting/databasePasswordFile`` and ``Setting/databaseConnections``; nil after a
    /// problem, which is reported.
    static func read(_ reader: inout SettingsReader) -> Self? {
        let before = reader.problems.count
        let text = reader.text(.database, isSecret: true)
        let passwordFile = reader.text(.databasePasswordFile)
        let connections = reader.count(.databaseConnections, in: 1...200)
        guard reader.problems.count == before, !reader.isRefused(.database) else { return nil }
        guard let text, let scheme = scheme(of: text) else {
            if passwordFile != nil {
                reader.report(.databasePasswordFile, "is for PostgreSQL; a SQLite file has no password")
            }
            if connections != nil {
                reader.report(.databaseConnections, "is for PostgreSQL; a SQLite file needs no number of connections")
            }
            guard reader.problems.count == before else { return nil }
            return text.map(Self.file) ?? standard
        }
        guard isPostgres(text) else {
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
            let password = readPassword(&reader, file: passwordFile, address: text)
            guard reader.problems.count == before else { return nil }
            return .postgres(
                address: text, password: password, connections: connections ?? PostgresDatabase.standardConnections)
        #else
            reader.report(
                .database,
                "this siwa was built without PostgreSQL: build it with `swift build --traits PostgreSQL`, or give the "
                    + "path of a SQLite file")
            return nil
        #endif
    }

    #if PostgreSQL
        /// Reads the password beside an address; nil without a file, and after a problem, which is reported.
        private static func readPassword(
            _ reader: inout SettingsReader, file: String?, address: String
        ) -> PostgresPassword? {
            guard let file else { return nil }
            guard !PostgresDatabase.hasPassword(address: address) else {
                reader.report(
                    .databasePasswordFile, "is there beside a password in \(Setting.database.path); only one can be")
                return nil
            }
            return reader.secret(inFile: file, of: .databasePasswordFile, lines: .one).map { PostgresPassword($0) }
        }
    #endif

    /// Whether the value of `--database` is the address of a PostgreSQL server.
    static func isPostgres(_ text: String) -> Bool { ["postgres", "postgresql"].contains(scheme(of: text)) }

    /// The part before `://`; nil for a path.
    private static func scheme(of text: String) -> String? {
        guard let end = text.firstRange(of: "://")?.lowerBound, end > text.startIndex,
            text[..<end].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return String(text[..<end])
    }
}
