/// Why an access token is not believed. Equal to another error with the same code.
///
/// Its description holds neither the token nor anything about the person.
public struct AccessTokenError: Error, Equatable, CustomStringConvertible {
    /// For programs, logs and metrics.
    public let code: Code
    /// For people, in one sentence.
    public let reason: String
    /// What lay behind it, an `AppleIDError` of the shared key cache say.
    public let cause: (any Error)?
    /// Where in the library it was found out; for whoever reports a bug.
    public let file: String
    /// In that file.
    public let line: UInt

    /// For tests of what handles it; the library makes its own.
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
        /// The client: the token is refused. Answer 401 with `WWW-Authenticate: Bearer error="invalid_token"` (RFC 6750
        /// §3).
        case token
        /// The operator: a setting of this verifier is wrong.
        case configuration
        /// Time: nothing can be said of the token now. Answer 503.
        case transient
    }

    /// Follows from the code, and is what the answer depends on.
    public var kind: Kind { code.kind }

    /// Whether the codes are the same; reasons, causes and places are not compared.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Fit for logs, though the code alone is better there.
    public var description: String { "\(code): \(reason)" }
}
