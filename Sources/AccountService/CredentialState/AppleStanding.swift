/// One Apple identity of an account, and how it stands.
public struct AppleStanding: Hashable, Sendable {
    public var identity: IdentityID
    /// By Apple's word, or because the person had this service revoke it; not authorized again since.
    public var accessEnded: Bool
    /// The Apple Account is gone, and with it what was known of the identity.
    public var isRemoved: Bool

    public init(identity: IdentityID, accessEnded: Bool, isRemoved: Bool) {
        self.identity = identity
        self.accessEnded = accessEnded
        self.isRemoved = isRemoved
    }
}
