#if PostgreSQL
    import AccountDatabase

    /// The error of PostgreSQL, or of the way to it, for a statement: the cause in an `SQLDatabaseError`, or thrown as
    /// it is when the program is at fault.
    ///
    /// It holds the statement with its parameters unfilled, and nothing of the values.
    package struct PostgresFailure: Error, Hashable, CustomStringConvertible {
        /// The kind of a failure.
        package enum Kind: Hashable, Sendable {
            /// The server refused the statement with this SQLSTATE, and has undone its changes.
            case refused(state: String)
            /// There is no connection, or it was lost.
            case lost
            /// No answer came in time, and the connection was closed.
            case timedOut
            /// A statement was used where none can be.
            case misuse
        }

        package let kind: Kind
        package let message: String
        package let statement: String?

        init(_ kind: Kind, message: String, statement: String? = nil) {
            self.kind = kind
            self.message = message
            self.statement = statement
        }

        /// The letter of the SQLSTATE among the fields of an error, which the header has as a macro.
        static let stateField = Int32(UInt8(ascii: "C"))
        /// The letter of the message without detail: the detail would quote values.
        static let messageField = Int32(UInt8(ascii: "M"))

        package var description: String {
            let place = statement.map { " in: \($0)" } ?? ""
            return "PostgreSQL \(word): \(message)\(place)"
        }

        private var word: String {
            switch kind {
            case .refused(let state): state
            case .lost: "lost"
            case .timedOut: "timed out"
            case .misuse: "misuse"
            }
        }
    }

    extension PostgresFailure: DatabaseFailure {
        package var words: String {
            PostgresFailure(kind, message: message.split(whereSeparator: \.isNewline).joined(separator: " "))
                .description
        }

        /// Whether the same transaction may succeed when it runs again. Nothing is committed before COMMIT was sent.
        var mayPassOnRepeat: Bool {
            switch kind {
            case .lost: true
            // The codes of a serialization failure, a deadlock, and a server that shuts down.
            case .refused(let state):
                takesNoWrites || ["40001", "40P01", "57P01", "57P02", "57P03"].contains(state)
            case .timedOut, .misuse: false
            }
        }

        /// Whether the connection is of no use after this failure: it was lost, it doesn't answer, or its server takes no
        /// writes. A new one may lead to another server.
        var endsConnection: Bool {
            switch kind {
            case .lost, .timedOut: true
            case .refused: takesNoWrites
            case .misuse: false
            }
        }

        /// Whether the server takes no writes. A standby refuses to begin a writing transaction with 0A000; a transaction that
        /// has begun is refused each write with 25006.
        private var takesNoWrites: Bool {
            switch kind {
            case .refused(state: "25006"): true
            case .refused(state: "0A000"): statement?.hasPrefix("BEGIN") == true
            default: false
            }
        }

        /// Whether other transactions kept the lock for longer than the time limit.
        var waitedForLock: Bool { kind == .refused(state: "55P03") }

        /// Returns the error that a caller of the store gets for an error of PostgreSQL: `unavailable` when the
        /// database cannot answer, the plain failure when the program is at fault. Any other error stays as it is.
        static func storeError(for error: any Error) -> any Error {
            guard let failure = error as? PostgresFailure else { return error }
            guard let reason = failure.reason else { return failure }
            return SQLDatabaseError(.unavailable, reason, cause: failure)
        }

        /// The reason for people; nil for an error that only a wrong statement or wrong use can cause.
        private var reason: String? {
            switch kind {
            case .lost: "The database cannot be reached."
            case .timedOut: "The database does not answer."
            case .misuse: nil
            case .refused(let state): takesNoWrites ? "The database takes no writes." : Self.reason(ofState: state)
            }
        }

        private static func reason(ofState state: String) -> String? {
            switch state {
            case "55P03", "40001", "40P01": "The database is in use by others."
            case "57014": "The database needs too long."
            // A statement prepared on one connection is looked for, or prepared again, on another.
            case "42P05", "26000":
                "Between siwa and the database is a pooler of transactions. It must be one of sessions: with PgBouncer, set pool_mode = session."
            case "42501": "The database does not let this program's role do its work."
            default:
                switch state.prefix(2) {
                case "08", "57": "The database cannot be reached."
                case "53": "The database has no room left."
                case "28", "3D": "The database lets this program not in."
                case "58", "XX": "The database's disk or memory failed."
                case "25" where state == "25P03": "The database needs too long."
                default: nil
                }
            }
        }
    }
#endif
