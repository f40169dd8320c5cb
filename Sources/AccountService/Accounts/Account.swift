/// An account as its person may see it.
///
/// Name and address belong to the person, are untrusted text, and never identify anybody.
public struct Account: Hashable, Sendable {
    public var id: AccountID
    public var name: PersonName?
    /// The address that Apple last told, real or relay.
    public var email: String?
    public var emailVerified: Bool
    /// Whether ``email`` is a relay address.
    public var isPrivateEmail: Bool
    public var createdAt: Timestamp
    public var appleAccess: AppleAccess
    /// Of the identity that the session belongs to.
    public var appleToken: AppleTokenStatus

    public init(
        id: AccountID, name: PersonName?, email: String?, emailVerified: Bool, isPrivateEmail: Bool,
        createdAt: Timestamp, appleAccess: AppleAccess = AppleAccess(),
        appleToken: AppleTokenStatus = .none
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.emailVerified = emailVerified
        self.isPrivateEmail = isPrivateEmail
        self.createdAt = createdAt
        self.appleAccess = appleAccess
        self.appleToken = appleToken
    }
}
