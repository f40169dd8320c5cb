/// An error that prevents an emulator from starting or changing. It is never the answer to a request.
///
/// Two errors are equal when their codes are.
public struct EmulatorError: Error, Equatable, CustomStringConvertible {
    /// The kind of error.
    public let code: Code
    /// A text that says what is wrong, and with which value. It holds no secret.
    public let reason: String
    /// The error of another library that led to this one.
    public let cause: (any Error)?
    /// The member of a portal that is wrong, as `teams[0].apps[1].id`. Nil for errors that are about no portal.
    public let place: String?
    /// The source file that created the error.
    public let file: String
    /// The line that created the error.
    public let line: UInt

    init(
        _ code: Code, _ reason: String, cause: (any Error)? = nil, place: String? = nil, file: String = #fileID,
        line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.cause = cause
        self.place = place
        self.file = file
        self.line = line
    }

    /// Compares the codes of two errors.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }

    /// The code and the reason. The cause appears by its type alone.
    public var description: String {
        let tail = cause.map { " (\(type(of: $0)))" } ?? ""
        return "\(code): \(reason)\(tail)"
    }
}

extension EmulatorError {
    /// A kind of ``EmulatorError``. Later versions may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Word: String {
            case invalidConfiguration = "invalid_configuration"
            case invalidPortal = "invalid_portal"
            case unreadableState = "unreadable_state"
            case unwritableState = "unwritable_state"
        }

        private let word: Word

        /// The code as it appears in messages, such as `invalid_portal`.
        public var description: String { word.rawValue }

        /// A value of ``EmulatorConfiguration``, or an address given later, cannot be used.
        public static let invalidConfiguration = Self(word: .invalidConfiguration)
        /// A portal names something twice, or refers to something that is not there.
        public static let invalidPortal = Self(word: .invalidPortal)
        /// The state file exists, but the emulator cannot read or understand it.
        public static let unreadableState = Self(word: .unreadableState)
        /// The emulator could not write the state file. The changes are lost at the end of the run.
        public static let unwritableState = Self(word: .unwritableState)
    }
}
