/// What came of a dead token when its time to wait was over.
public struct DeadGrant: Hashable, Sendable {
    public var account: AccountID
    public var identity: IdentityID
    /// False when the person has authorized the app again since: then the token is only forgotten.
    public var endedAccess: Bool

    public init(account: AccountID, identity: IdentityID, endedAccess: Bool) {
        self.account = account
        self.identity = identity
        self.endedAccess = endedAccess
    }
}
