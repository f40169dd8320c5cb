/// The work at Apple that the transaction of a revocation or a deletion leaves to the outbox.
public struct RevocationOrder: Hashable, Sendable {
    /// How many entries of the outbox are to be revoked, or redeemed for it.
    public var count: Int
    /// Whether Apple may go on listing the app, so that the person has to remove it by hand: there is nothing to revoke
    /// with, and nothing says that the authorization has ended.
    public var needsManualRemoval: Bool

    public init(count: Int, needsManualRemoval: Bool) {
        self.count = count
        self.needsManualRemoval = needsManualRemoval
    }
}

/// All that ending Apple's authorization writes; a store applies it in ONE transaction.
public struct Revocation: Sendable {
    public var at: Timestamp
    /// In which it is asked for; the tokens held for its identity are revoked.
    public var session: SessionID
    public var spent: [Spent]
    public var ownCode: SignInRecord.OwnCode?
    /// What a code brought: revoked, and never kept.
    public var appleToken: AppleToken?
    /// Whom it is about.
    public var personHash: TokenHash
    /// For the audit.
    public var caller = Caller.unknown

    public init(
        at: Timestamp, session: SessionID, spent: [Spent], ownCode: SignInRecord.OwnCode?, appleToken: AppleToken?,
        personHash: TokenHash
    ) {
        self.at = at
        self.session = session
        self.spent = spent
        self.ownCode = ownCode
        self.appleToken = appleToken
        self.personHash = personHash
    }
}
