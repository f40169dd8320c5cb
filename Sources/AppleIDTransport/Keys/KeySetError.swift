/// An error that says why a key of a key set can't be had. Equal to another error with the same code.
package struct KeySetError: CodedError, Equatable, CustomStringConvertible {
    /// The reason, with the word that logs and metrics name it by.
    package enum Code: String, Sendable {
        /// The key set was fetched just now and has no such key.
        case unknownKey = "unknown_key"
        /// The key set could not be fetched, or may not be fetched again yet.
        case keysUnavailable = "keys_unavailable"
        /// The issuer didn't answer the request for its key set, or not with status 200.
        case unreachable = "apple_unavailable"
        /// The answer is no key set, or has no usable key.
        case malformedKeySet = "malformed_answer"
    }

    package let code: Code
    /// One sentence for people.
    package let reason: String
    package let cause: (any Error)?

    package init(_ code: Code, _ reason: String, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.cause = cause
    }

    package var codeWord: String { code.rawValue }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    package var description: String { "\(codeWord): \(reason)" }
}

/// The cause when a token names an unknown key, and the issuer can't be asked again yet. Otherwise every invented name
/// would cause a request.
package struct UnknownKeyName: Error, CustomStringConvertible {
    /// The reason why the issuer could not be asked the last time, if that was so.
    let lastFailure: KeySetError?

    package var description: String { lastFailure.map { "unknown key; \($0)" } ?? "unknown key" }
}
