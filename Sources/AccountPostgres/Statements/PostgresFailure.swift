#if PostgreSQL
    /// What PostgreSQL, or the way to it, said of a statement: the cause in an `AccountError`, or thrown as it is when
    /// the program is at fault.
    ///
    /// It holds the statement with its parameters unfilled, and nothing of the values.
    public struct PostgresFailure: Error, Hashable, CustomStringConvertible {
        /// What kind of failure.
        public enum Kind: Hashable, Sendable {
            /// The server refused, with this SQLSTATE; what the statement did is undone.
            case refused(state: String)
            /// There is no connection, or there is none any more.
            case lost
            /// No answer came in time, and the connection was given up.
            case timedOut
            /// A statement was used where none can be.
            case misuse
        }

        public let kind: Kind
        public let message: String
        public let statement: String?

        init(_ kind: Kind, message: String, statement: String? = nil) {
            self.kind = kind
            self.message = message
            self.statement = statement
        }

        /// The letter of the SQLSTATE among the fields of an error, which the header has as a macro.
        static let stateField = Int32(UInt8(ascii: "C"))
        /// The letter of the message without detail: the detail would quote values.
        static let messageField = Int32(UInt8(ascii: "M"))

        public var description: String {
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
#endif
