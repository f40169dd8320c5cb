public import AppleIDTypes

/// One way in which a person signs in to their account: Apple's subject, as one team sees it, the subject of another
/// provider, or a verified e-mail address.
public struct Identity: Hashable, Sendable {
    /// The identity's identifier.
    public var id: IdentityID
    /// The account that the identity opens.
    public var accountID: AccountID
    /// The provider that knows the person.
    package var provider = IdentityProvider.apple
    /// The team at Apple that ``subject`` belongs to; `email` for an email identity, and the issuer for another
    /// provider.
    public var team: TeamID
    /// Apple's or another provider's identifier of the person (`sub`), which means something within the team only. For
    /// an email identity, the look-up form of the address.
    public var subject: Subject
    /// The address that Apple or another provider told last, real or relay; the address of an email identity, as the person
    /// typed it.
    public var email: String?
    /// Whether the provider says that ``email`` is verified; true for an email identity.
    public var emailVerified: Bool
    /// Whether ``email`` is a relay address.
    public var isPrivateEmail: Bool
    /// The person's standing at Apple, as far as Apple has said.
    public var access: AppleAccess
    /// When the identity was added to the account.
    public var createdAt: Timestamp
    /// When the person last signed in with the identity.
    public var lastSignInAt: Timestamp

    package init(
        id: IdentityID, accountID: AccountID, provider: IdentityProvider = .apple, team: TeamID, subject: Subject,
        email: String?, emailVerified: Bool,
        isPrivateEmail: Bool, access: AppleAccess, createdAt: Timestamp, lastSignInAt: Timestamp
    ) {
        self.id = id
        self.accountID = accountID
        self.provider = provider
        self.team = team
        self.subject = subject
        self.email = email
        self.emailVerified = emailVerified
        self.isPrivateEmail = isPrivateEmail
        self.access = access
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
    }
}

extension IdentityProvider {
    /// Whether the provider hides a person's address, or doesn't tell it. Only Apple counts.
    fileprivate func hides(_ address: String?, isPrivate: Bool) -> Bool {
        self == .apple && (isPrivate || address == nil)
    }
}

extension Identity {
    /// Whether Apple hides the person's address, or doesn't tell it.
    var hidesAddress: Bool { provider.hides(email, isPrivate: isPrivateEmail) }
}

extension LinkedIdentity {
    /// Whether Apple hides the person's address, or doesn't tell it.
    package var hidesAddress: Bool { IdentityProvider(rawValue: provider).hides(address, isPrivate: isPrivateEmail) }
}

extension SignInRecord.Person {
    /// Whether Apple hides the person's address, or doesn't tell it.
    var hidesAddress: Bool { provider.hides(email, isPrivate: isPrivateEmail) }
}

/// A person's standing at Apple: whether they still use the app with their Apple Account, and what
/// Apple has said of them.
public struct AppleAccess: Hashable, Sendable {
    /// The person stopped using the app, or their Apple Account is gone.
    public struct End: Hashable, Sendable {
        /// When the use ended, by Apple's clock where a notification said so, else when it was found out.
        public var at: Timestamp
        /// One of ``SessionEndReason/appleConsentRevoked``, ``SessionEndReason/appleAccountDeleted`` and
        /// ``SessionEndReason/appleGrantDead``.
        public var reason: SessionEndReason

        package init(at: Timestamp, reason: SessionEndReason) {
            self.at = at
            self.reason = reason
        }
    }

    /// When and why the person stopped using the app; nil while they use it, as far as is known.
    public var ended: End?
    /// Whether Apple forwards mail to the relay address; nil while Apple has said nothing since the address was told.
    public var forwardsEmail: Bool?
    /// Advice of Apple's, told once, with a native first sign-in.
    public var realUserStatus: RealUserStatus?
    /// The organization of a managed Apple Account (`org_id`).
    public var organizationID: String?
    /// When Apple issued the last identity token that this person signed in with; nil for one who has not since this is
    /// kept.
    public var lastAuthorizedAt: Timestamp?

    package init(
        ended: End? = nil, forwardsEmail: Bool? = nil, realUserStatus: RealUserStatus? = nil,
        organizationID: String? = nil, lastAuthorizedAt: Timestamp? = nil
    ) {
        self.ended = ended
        self.forwardsEmail = forwardsEmail
        self.realUserStatus = realUserStatus
        self.organizationID = organizationID
        self.lastAuthorizedAt = lastAuthorizedAt
    }
}

/// Whether the service could revoke Apple's authorization of an identity's person.
package enum AppleTokenStatus: String, Hashable, Sendable {
    /// A refresh token of Apple's is held.
    case held
    /// A code waits to be redeemed for one, because Apple could not be asked at the sign-in.
    case waiting
    case none
}
