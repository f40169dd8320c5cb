/// What went wrong between a relying party and Apple. Equal to another error with the same code.
///
/// Its description holds neither tokens, codes, keys nor personal data.
public struct AppleIDError: Error, Equatable, CustomStringConvertible {
    /// For programs, logs and metrics.
    public let code: Code
    /// For people, in one sentence.
    public let reason: String
    /// What lay behind it: an ``AppleRefusal`` where Apple said a word, an ``UnverifiedGrant`` where tokens came, or
    /// what a transport or a memory threw. May hold what the description leaves out, so it is not for logs.
    public let cause: (any Error)?
    /// Where in the library it was found out; for whoever reports a bug.
    public let file: String
    /// In that file.
    public let line: UInt

    /// For transports and others that speak for Apple; the library makes its own.
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
        /// Nobody here: the token or callback is bad and is refused.
        case token
        /// The operator: a setting or a call of ours is wrong. Says nothing about any person's session.
        case configuration
        /// The person: the code or refresh token is dead, they have to sign in again.
        case grantIsDead
        /// The person: what became of their code is unknown, and a code is not sent twice. Says nothing about sessions
        /// that they have.
        case signInAgain
        /// Nobody: Apple refuses to tell about one person of many. Note it, and go on with the next.
        case onePerson
        /// Time: Apple could not be asked, the same may work later.
        case transient
    }

    /// Follows from the code, and is the usual thing to decide by.
    public var kind: Kind { code.kind }

    /// Whether the codes are the same; reasons, causes and places are not compared.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Fit for logs, though the code alone is better there.
    public var description: String { "\(code): \(reason)" }
}
