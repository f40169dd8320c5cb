/// The answer to `POST /v1/sign-in/apple`.
public struct SignInAnswer: Hashable, Sendable, Codable {
    public var account: AccountBody
    public var session: SessionBody
    /// Whether the account was made by this sign-in.
    public var isNewAccount: Bool

    public init(account: AccountBody, session: SessionBody, isNewAccount: Bool) {
        self.account = account
        self.session = session
        self.isNewAccount = isNewAccount
    }
}
