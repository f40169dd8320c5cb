/// What became of a ``SignInRecord``.
public struct SignInOutcome: Hashable, Sendable {
    public var account: Account
    public var session: Session
    public var isNewAccount: Bool
    /// Whose sessions ended because this one took their place: those of the browser, perhaps of another account.
    public var replaced: Set<AccountID>

    public init(account: Account, session: Session, isNewAccount: Bool, replaced: Set<AccountID> = []) {
        self.account = account
        self.session = session
        self.isNewAccount = isNewAccount
        self.replaced = replaced
    }
}
