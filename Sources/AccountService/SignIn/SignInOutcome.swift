/// What became of a ``SignInRecord``.
public struct SignInOutcome: Hashable, Sendable {
    public var account: Account
    public var session: Session
    public var isNewAccount: Bool

    public init(account: Account, session: Session, isNewAccount: Bool) {
        self.account = account
        self.session = session
        self.isNewAccount = isNewAccount
    }
}
