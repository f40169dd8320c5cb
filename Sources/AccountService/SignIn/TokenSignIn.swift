/// A sign-in that an app has finished.
public struct TokenSignIn: Sendable {
    public var account: Account
    public var isNewAccount: Bool
    public var tokens: SessionTokens
}
