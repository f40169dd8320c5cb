/// What went wrong between a relying party and Apple. Equal to another error with the same code.
///
/// Its description holds neither tokens, codes, keys nor personal data.
public struct AppleIDError: Error, Equatable, CustomStringConvertible {
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

    public var kind: Kind { code.kind }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public var description: String { "\(code): \(reason)" }
}
