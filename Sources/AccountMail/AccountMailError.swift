/// An error of the settings for mail; two are equal when their codes are.
///
/// Its description holds neither personal data nor secrets. A mail that can't be sent is no error of this type: the
/// answer of ``SMTPSender`` says why.
public struct AccountMailError: Error, Equatable, CustomStringConvertible {
    /// The kind of error; two errors are equal when their codes are.
    public let code: Code
    /// The reason, for people, in one line without personal data or secrets.
    public let reason: String
    /// The error underneath, if there is one.
    public let cause: (any Error)?
    /// The source file that made the error.
    public let file: String
    /// The line in ``file``.
    public let line: UInt

    package init(
        _ code: Code, _ reason: String, cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.cause = cause
        self.file = file
        self.line = line
    }

    /// Two errors are equal if they have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code and the reason, for logs.
    public var description: String { "\(code): \(reason)" }

    /// The kind of an error; new codes may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case invalidServer = "invalid_server"
            case invalidSender = "invalid_sender"
            case invalidTemplate = "invalid_template"
            case passwordMismatch = "password_mismatch"
        }

        private let value: Value

        /// The snake_case word for logs, which stays the same in later versions.
        public var description: String { value.rawValue }

        /// The URL of the mail server isn't one that siwa can use.
        public static let invalidServer = Self(value: .invalidServer)
        /// The sender's address isn't one that may stand in a mail.
        public static let invalidSender = Self(value: .invalidSender)
        /// A template can't be read, is wrong, or has a name that no mail uses.
        public static let invalidTemplate = Self(value: .invalidTemplate)
        /// There is a user without a password, or a password without a user.
        public static let passwordMismatch = Self(value: .passwordMismatch)
    }
}
