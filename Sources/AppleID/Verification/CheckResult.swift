/// What one rule says of a token.
public struct CheckResult: Sendable {
    /// How it ended.
    public enum Outcome: Hashable, Sendable {
        /// The rule found what it wants.
        case passed
        /// A verification would have ended here, with this code.
        case failed(AppleIDError.Code)
        /// Nothing to compare with, or an earlier failure left nothing to look at.
        case skipped
    }

    /// The rule in a word or two: `signature`, `audience`.
    public let name: String
    /// Decides, unlike the words.
    public let outcome: Outcome
    /// One sentence for people, without full stop; never holds the token or a part of it that is a secret.
    public let explanation: String
}
