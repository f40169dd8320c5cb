import AppleIDTransport

/// An error between a relying party and an OpenID Provider. Equal to another error with the same code.
///
/// Its description holds neither tokens, codes, secrets nor personal data.
public struct OpenIDConnectError: Error, Equatable, CustomStringConvertible {
    /// The code, for programs, logs and metrics.
    public let code: Code
    /// The reason, in one sentence for people.
    public let reason: String
    /// The error behind this one, which may hold what the description leaves out and so is not for logs.
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
        /// The operator has to act: a setting is wrong, or the provider doesn't support what is needed.
        case configuration
        /// The person has to sign in again. It says nothing about sessions that they have.
        case signInAgain
        /// The provider could not be asked, or its answer can't be used. The same call may succeed later.
        case transient
    }

    /// The kind, which follows from the code: the usual property to decide by.
    public var kind: Kind { code.kind }

    /// Returns whether the codes are the same; reasons, causes and places are not compared.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code and the reason. Fit for logs, though the code alone is better there.
    public var description: String { "\(code): \(reason)" }
}

extension OpenIDConnectError: CodedError {
    package var codeWord: String { code.description }
}

/// The refusal that an OpenID Provider sent: the status of its response and its error code (RFC 6749 §5.2).
public struct ProviderRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The status of the response; nil for an error that a browser brought back.
    public let status: Int?
    /// The error code as the provider spells it, at most 64 characters. Later versions of the protocol may add codes.
    public let word: String

    /// The status and the error code. Fit for logs.
    public var description: String { status.map { "\($0) \(word)" } ?? word }

    /// Returns nil for text that is no error code.
    init?(status: Int?, word: String?) {
        guard let word, (1...64).contains(word.utf8.count),
            word.utf8.allSatisfy({ ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") || $0 == 0x5F })
        else { return nil }
        self.status = status
        self.word = word
    }
}

extension OpenIDConnectError {
    /// Whether a browser has brought this error in a callback. Anybody can make such a callback for an attempt of their own,
    /// so it says nothing about the provider.
    package var isOfBrowser: Bool {
        guard let refusal = cause as? ProviderRefusal else { return false }
        return refusal.status == nil
    }
}
