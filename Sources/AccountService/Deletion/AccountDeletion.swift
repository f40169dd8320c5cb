/// All that the deletion of an account writes and removes; a store applies it in ONE transaction.
public struct AccountDeletion: Sendable {
    public var at: Timestamp
    /// In which it is asked for: it must live, and its account goes.
    public var session: SessionID
    public var handleHash: TokenHash
    /// What a reauthentication for it used up.
    public var spent: [Spent]
    public var ownCode: SignInRecord.OwnCode?
    /// What that reauthentication brought: revoked, and never kept.
    public var appleToken: AppleToken?
    /// A code that could not be redeemed yet: what it brings is revoked.
    public var waitingCode: OutboxEntry?
    /// For the audit.
    public var caller = Caller.unknown

    public init(
        at: Timestamp, session: SessionID, handleHash: TokenHash, spent: [Spent] = [], appleToken: AppleToken? = nil
    ) {
        self.at = at
        self.session = session
        self.handleHash = handleHash
        self.spent = spent
        self.appleToken = appleToken
    }
}
