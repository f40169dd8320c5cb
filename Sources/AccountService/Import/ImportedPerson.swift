package import AppleIDTypes

/// A person of another service, as a file or a database of that service has them.
package struct ImportedPerson: Equatable, Sendable, Redacted {
    /// The line of the file on which the person begins, for messages.
    package var line: Int
    /// The person's ids at other services. An export of siwa has several or none; others have one.
    package var formerIDs: [FormerID]
    /// The ways in that this service can take over.
    package var identities: [ImportedIdentity]
    package var name: PersonName?
    package var createdAt: Timestamp?
    package var lastSignInAt: Timestamp?
    package var isDisabled = false
    /// The names of providers with which the person signs in there and not here.
    package var otherProviders: [String] = []
    /// The rest of an account that siwa has exported.
    package var exported: PortableAccount?

    package init(line: Int, formerIDs: [FormerID], identities: [ImportedIdentity] = [], name: PersonName? = nil) {
        self.line = line
        self.formerIDs = formerIDs
        self.identities = identities
        self.name = name
    }

    /// The id by which messages name the person.
    package var shownID: String { exported?.id.rawValue ?? formerIDs.first?.id ?? "" }
}

/// A person's id at another service.
package struct FormerID: Hashable, Sendable {
    /// The longest id that is taken.
    package static let maximumLength = 255

    /// The service, such as `firebase`.
    package var source: String
    package var id: String

    package init(source: String, id: String) {
        self.source = source
        self.id = id
    }

    var hash: TokenHash { TokenHash(of: source + "\n" + id) }
}

/// A way in that another service has verified, or takes for granted.
package struct ImportedIdentity: Equatable, Sendable, Redacted {
    package var provider: IdentityProvider
    /// The team at Apple; the issuer of another provider; `email` for an address.
    package var team: TeamID
    package var subject: Subject
    package var email: String?
    package var emailVerified: Bool
    package var isPrivateEmail: Bool
    package var password: ImportedPassword?
    /// Apple's refresh tokens, as they are.
    package var appleTokens: [ImportedAppleToken] = []
    /// The rest of an identity that siwa has exported.
    package var exported: PortableIdentity?

    package init(
        provider: IdentityProvider, team: TeamID, subject: Subject, email: String? = nil, emailVerified: Bool = false,
        isPrivateEmail: Bool = false, password: ImportedPassword? = nil
    ) {
        self.provider = provider
        self.team = team
        self.subject = subject
        self.email = email
        self.emailVerified = emailVerified
        self.isPrivateEmail = isPrivateEmail
        self.password = password
    }

    /// The domain of Apple's relay addresses.
    private static let relay = "@privaterelay.appleid.com"

    /// The identity of a person at Apple.
    package static func apple(
        _ subject: String, team: TeamID, email: String? = nil, emailVerified: Bool = true
    ) -> Self? {
        guard (1...FormerID.maximumLength).contains(subject.utf8.count), !subject.utf8.contains(0) else { return nil }
        let address = email.flatMap { $0.isEmpty || $0.utf8.count > EmailAddress.maximumLength ? nil : $0 }
        return Self(
            provider: .apple, team: team, subject: Subject(subject), email: address,
            emailVerified: address != nil && emailVerified,
            isPrivateEmail: address?.lowercased().hasSuffix(relay) == true)
    }

    /// The identity of a person at another provider that this service knows.
    package static func other(
        _ provider: String, issuer: String, subject: String, email: String?, emailVerified: Bool
    ) -> Self? {
        guard (1...FormerID.maximumLength).contains(subject.utf8.count), !subject.utf8.contains(0) else { return nil }
        let address = email.flatMap { $0.isEmpty || $0.utf8.count > EmailAddress.maximumLength ? nil : $0 }
        return Self(
            provider: IdentityProvider(rawValue: provider), team: TeamID(issuer), subject: Subject(subject),
            email: address, emailVerified: address != nil && emailVerified)
    }

    /// The identity of a person who signs in with an address; nil for a text that is none.
    package static func email(_ address: String, isVerified: Bool, password: ImportedPassword? = nil) -> Self? {
        guard let form = EmailForm(of: address) else { return nil }
        return Self(
            provider: .email, team: SignInRecord.Person.emailTeam, subject: form.subject, email: address,
            emailVerified: isVerified, password: password)
    }

    /// The name under which ``imported_people`` remembers the way in.
    var way: String { provider.rawValue }

    var personHash: TokenHash { TokenHash.person(team: team, subject: subject) }
}

/// A password at another service.
package enum ImportedPassword: Equatable, Sendable, Redacted {
    /// A hash that can be checked at the first sign-in.
    case hash(String)
    /// A hash of another kind. The person must choose a new password.
    case unknown

    /// Takes a stored hash; one that can't be checked on this machine is ``unknown``.
    /// - Parameter isExported: whether siwa has exported it. Otherwise a hash that costs more than Firebase's may is
    ///   ``unknown``, too: each guess would cost as much.
    package init(stored text: String, isExported: Bool = false) {
        if let foreign = ForeignPasswordHash(text: text) {
            self = foreign.canBeChecked ? .hash(text) : .unknown
            return
        }
        do {
            let cost = try PasswordHash(text: text).cost
            self = isExported || cost.isBearable ? .hash(text) : .unknown
        } catch {
            self = .unknown
        }
    }
}

/// A refresh token of Apple's.
package struct ImportedAppleToken: Equatable, Sendable, Redacted {
    package var client: ClientID
    package var token: String
    /// The token's id and time in an export of siwa.
    package var id: AppleTokenID?
    package var obtainedAt: Timestamp?

    package init(client: ClientID, token: String, id: AppleTokenID? = nil, obtainedAt: Timestamp? = nil) {
        self.client = client
        self.token = token
        self.id = id
        self.obtainedAt = obtainedAt
    }
}

/// The part of an account in an export of siwa that is not about its identities.
package struct PortableAccount: Equatable, Sendable, Redacted {
    package var id: AccountID
    package var nameTypedAt: Timestamp?
    package var phone: String?
    package var contactEmail: String?
    package var contactEmailVerifiedAt: Timestamp?
    package var disabledAt: Timestamp?
    package var consents: [PortableConsent] = []
    /// The accounts that were merged into this one.
    package var mergedAccounts: [PortableMerge] = []

    package init(id: AccountID) {
        self.id = id
    }
}

/// An account that was merged into that of an export.
package struct PortableMerge: Equatable, Sendable {
    package var account: AccountID
    package var mergedAt: Timestamp

    package init(account: AccountID, mergedAt: Timestamp) {
        self.account = account
        self.mergedAt = mergedAt
    }

    /// Stands for the handle of the merge, which stays at the other service: no handle of this service has this hash.
    var handleHash: TokenHash { TokenHash(of: "imported merge\n" + account.rawValue) }
}

/// A consent of an export of siwa.
package struct PortableConsent: Equatable, Sendable, Redacted {
    package var id: ConsentID
    package var purpose: String
    package var textVersion: String
    package var givenAt: Timestamp
    package var session: String
    package var client: String
    package var address: String?
    package var device: String?
    package var withdrawnAt: Timestamp?

    package init(
        id: ConsentID, purpose: String, textVersion: String, givenAt: Timestamp, session: String, client: String,
        address: String?, device: String?, withdrawnAt: Timestamp?
    ) {
        self.id = id
        self.purpose = purpose
        self.textVersion = textVersion
        self.givenAt = givenAt
        self.session = session
        self.client = client
        self.address = address
        self.device = device
        self.withdrawnAt = withdrawnAt
    }
}

/// The part of an identity in an export of siwa that is neither its key nor its address.
package struct PortableIdentity: Equatable, Sendable, Redacted {
    package var id: IdentityID
    package var createdAt: Timestamp
    package var lastSignInAt: Timestamp
    package var realUserStatus: Int64?
    package var organizationID: String?
    package var lastAuthorizedAt: Timestamp?
    package var forwardsEmail: Bool?
    package var forwardingChangedAt: Timestamp?
    package var accessEndedAt: Timestamp?
    package var accessEndReason: String?
    package var linkConsent: ConsentID?
    package var passwordSetAt: Timestamp?
    package var isPasswordOff = false

    package init(id: IdentityID, createdAt: Timestamp, lastSignInAt: Timestamp) {
        self.id = id
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
    }
}
