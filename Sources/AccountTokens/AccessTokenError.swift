/// Why an access token is not believed. Equal to another error with the same code.
///
/// Its description holds neither the token nor anything about the person.
public struct AccessTokenError: Error, Equatable, CustomStringConvertible {
    public let code: Code
    /// For people, in one sentence.
    public let reason: String
    public let cause: (any Error)?
    public let file: String
    public let line: UInt

    public init(
        _ code: Code, _ reason: String, cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.cause = cause
        self.file = file
        self.line = line
    }

    /// Who has to act.
    public enum Kind: Hashable, Sendable {
        /// The client: the token is refused. Answer 401 with `WWW-Authenticate: Bearer error="invalid_token"` (RFC 6750 §3).
        case token
        /// The operator: a setting of this verifier is wrong.
        case configuration
        /// Time: nothing can be said of the token now. Answer 503.
        case transient
    }

    public var kind: Kind { code.kind }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public var description: String { "\(code): \(reason)" }
}
