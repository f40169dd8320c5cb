import AccountService
import CommandIO

#if PostgreSQL
    import AccountPostgres
#endif

extension AccountError {
    /// The failure with which a command ends because of this error.
    var failure: Failure {
        #if PostgreSQL
            // PostgreSQL's own sentence names host, user and database, never a password or a value.
            if let cause = cause as? PostgresFailure {
                return Failure("\(reason) PostgreSQL says: \(cause.message)", hint: cause.hint)
            }
        #endif
        return Failure(reason, hint: hint)
    }

    /// A hint at what an operator can do about it.
    private var hint: String? {
        switch code {
        case .issuerMismatch: "give another --database, or talk to the Apple that this one belongs to"
        case .configuration: "siwa serve --check looks at the settings; the database is \(Setting.database.howToSet)"
        case .databaseTooNew: "run the newer siwa that wrote this database"
        default: nil
        }
    }
}

#if PostgreSQL
    extension PostgresFailure {
        fileprivate var hint: String {
            if kind == .refused(state: "42501") {
                return "the role must own the database: ALTER DATABASE … OWNER TO …, or CREATE DATABASE … OWNER …"
            }
            return "psql with the same address should get in; the address is \(Setting.database.howToSet)"
        }
    }
#endif
