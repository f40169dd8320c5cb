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
