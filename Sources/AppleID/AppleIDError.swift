import AppleIDTransport

/// An error between a relying party and Apple. Equal to another error with the same code.
///
/// Its description holds neither tokens, codes, keys nor personal data.
public struct AppleIDError: Error, Equatable, CustomStringConvertible {
    /// The code, for programs, logs and metrics.
    public let code: Code
    /// One sentence for people.
    public let reason: String
    /// The error behind this one, which may hold what the description leaves out and so is not for logs.
    ///
    /// It is an ``AppleRefusal`` if Apple refused with an error code, an ``UnverifiedGrant`` if tokens came, or the
    /// error of a transport or a ``ReplayMemory``.
    public let cause: (any Error)?
    /// The file of the library that found the error; for bug reports.
    public let file: String
    /// The line in ``file``.
    public let line: UInt

    /// Creates an error. The library makes its own; tests of code that handles errors make theirs.
    public init(
        _ code: Code, _ reason: String, cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.cause = cause
        self.file = file
        self.line = line
    }

    /// A statement about who has to act on an error. Later versions may add kinds.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// The caller can't fix this error: the token or the callback is invalid, and is refused.
        case token
        /// The operator has to act: a setting or a call is wrong. It says nothing about any person's session.
        case configuration
        /// The person has to sign in again: the code or refresh token is dead.
        case grantIsDead
        /// The person has to sign in again: nobody knows what became of their code, and a code is not sent twice. It
        /// says nothing about sessions that they have.
        case signInAgain
        /// Apple refuses to tell about one person of many. Record it, and go on with the next person.
        case onePerson
        /// Apple could not be asked. The same call may succeed later.
        case transient
    }

    /// The kind, which follows from the code: the usual property to decide by.
    public var kind: Kind { code.kind }

    /// Returns whether the codes are the same; reasons, causes and places are not compared.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code and the reason. Fit for logs, though the code alone is better there.
    public var description: String { "\(code): \(reason)" }
}

extension AppleIDError: CodedError {
    package var codeWord: String { code.description }
}
