/// What went wrong in the account service. Equal to another error with the same code.
///
/// It knows no HTTP, and its description holds neither personal data nor secrets.
public struct AccountError: Error, Equatable, CustomStringConvertible {
    public let code: Code
    /// For people, in one line.
    public let reason: String
    /// Which kind of thing came a second time, with ``Code/alreadyUsed``.
    public let spent: Spent.Kind?
    /// Which member of the request is wrong, with ``Code/requestInvalid``.
    public let field: String?
    /// How long to wait, with ``Code/rateLimited``.
    public let retryAfter: Duration?
    public let cause: (any Error)?
    public let file: String
    public let line: UInt

    public init(
        _ code: Code, _ reason: String, spent: Spent.Kind? = nil, field: String? = nil, retryAfter: Duration? = nil,
        cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.spent = spent
        self.field = field
        self.retryAfter = retryAfter
        self.cause = cause
        self.file = file
        self.line = line
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public var description: String { "\(code): \(reason)" }
}
