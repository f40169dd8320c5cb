#if PostgreSQL
    import TaskSignals

    /// The password of a PostgreSQL role. It can be replaced while connections are open.
    ///
    /// A connection logs in with the password of the moment in which it opens. Printed, dumped or interpolated, this
    /// shows nothing of it.
    public final class PostgresPassword: Sendable, CustomStringConvertible, CustomReflectable {
        private let text: Lock<String>

        /// Makes a password from its text, exactly as the role has it.
        public init(_ text: String) {
            self.text = Lock(text)
        }

        /// Takes over the text of another password, for connections that open from now on.
        public func replace(with other: PostgresPassword) {
            let new = other.current
            text.withLock { $0 = new }
        }

        var current: String { text.withLock { $0 } }

        /// The type's name.
        public var description: String { "PostgresPassword(redacted)" }
        /// A mirror without children.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
