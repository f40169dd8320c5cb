/// All that a reauthentication writes; a store applies it in ONE transaction.
public struct Reauthentication: Sendable {
    public var at: Timestamp
    public var spent: [Spent]
    public var ownCode: SignInRecord.OwnCode?
    /// Who the credential is about, and what Apple says of them with it.
    public var person: SignInRecord.Person
    public var appleToken: AppleToken?
    /// A code that could not be redeemed yet; for the outbox, which is told the identity.
    public var waitingCode: OutboxEntry?
    /// Whose freshness is renewed.
    public var session: SessionID
    /// A browser gets a new session, and the old one ends; nil for an app, which keeps its own.
    public var successor: SignInRecord.NewSession?
    /// For the audit.
    public var caller = Caller.unknown

    public init(
        at: Timestamp, spent: [Spent], ownCode: SignInRecord.OwnCode?, person: SignInRecord.Person,
        appleToken: AppleToken?, session: SessionID, successor: SignInRecord.NewSession?
    ) {
        self.at = at
        self.spent = spent
        self.ownCode = ownCode
        self.person = person
        self.appleToken = appleToken
        self.session = session
        self.successor = successor
    }
}
