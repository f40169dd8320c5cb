/// What one rule says of a token.
package struct CheckResult: Sendable {
    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        case passed
        case failed(AppleIDError.Code)
        /// Nothing to compare with, or an earlier failure left nothing to look at.
        case skipped
    }

    /// The rule in a word or two: `signature`, `audience`.
    package let name: String
    package let outcome: Outcome
    /// One sentence for people, without full stop; never holds the token or a part of it that is a secret.
    package let explanation: String
}
