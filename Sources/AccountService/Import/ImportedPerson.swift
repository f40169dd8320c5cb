package import AppleIDTypes

/// A person of another service, as a file or a database of that service describes them.
package struct ImportedPerson: Equatable, Sendable, Redacted {
    /// The line of the file on which the person begins, for messages.
    package var line: Int
    /// The person's ids at other services: several or none in an export of siwa, mostly one elsewhere.
    package var formerIDs: [FormerID]
    /// The identities that this service can import.
    package var identities: [ImportedIdentity]
    package var name: PersonName?
    package var createdAt: Timestamp?
    package var lastSignInAt: Timestamp?
    package var isDisabled = false
    /// The names of the providers with which the person signs in there, and can't sign in here.
    package var otherProviders: [String] = []
    /// Further data of an account that siwa has exported.
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
    /// The names of the identities and the password that imports have brought under this id, in an export of siwa; nil
    /// in other files, and in exports of older versions.
    package var imported: Set<String>?

    package init(source: String, id: String, imported: Set<String>? = nil) {
        self.source = source
        self.id = id
        self.imported = imported
    }

    /// ``imported`` as the table `imported_people` has it.
    var kinds: String? { imported.map { $0.sorted().joined(separator: ",") } }

    var hash: TokenHash { TokenHash(of: source + "\n" + id) }
}

/// An identity at another service, which that service has verified or takes for granted.
package struct ImportedIdentity: Equatable, Sendable, Redacted {
    package var provider: IdentityProvider
    /// The team at Apple; the issuer of another provider; `email` for an address.
    package var team: TeamID
    package var subject: Subject
    package var email: String?
    package var emailVerified: Bool
    package var isPrivateEmail: Bool
    package var password: ImportedPassword?
    /// Apple's refresh tokens, not sealed.
    package var appleTokens: [ImportedAppleToken] = []
    /// Further data of an identity that siwa has exported.
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

    /// Makes the identity of a person at Apple; nil for an invalid subject. Other services don't tell whether the address is
    /// hidden, so its domain decides.
    package static func apple(
        _ subject: String, team: TeamID, email: String? = nil, emailVerified: Bool = true
    ) -> Self? {
        guard (1...FormerID.maximumLength).contains(subject.utf8.count), !subject.utf8.contains(0) else { return nil }
        let address = email.flatMap { $0.isEmpty || $0.utf8.count > EmailAddress.maximumLength ? nil : $0 }
        return Self(
            provider: .apple, team: team, subject: Subject(subject), email: address,
            emailVerified: address != nil && emailVerified,
            isPrivateEmail: address.map(MailRecipient.isRelayAddress) ?? false)
    }

    /// Makes the identity of a person at another provider; nil for an invalid subject.
    package static func other(
        _ provider: String, issuer: String, subject: String, email: String?, emailVerified: Bool
    ) -> Self? {
        guard (1...FormerID.maximumLength).contains(subject.utf8.count), !subject.utf8.contains(0) else { return nil }
        let address = email.flatMap { $0.isEmpty || $0.utf8.count > EmailAddress.maximumLength ? nil : $0 }
        return Self(
            provider: IdentityProvider(rawValue: provider), team: TeamID(issuer), subject: Subject(subject),
            email: address, emailVerified: address != nil && emailVerified)
    }

    /// Makes the identity of a person who signs in with an address; nil for an invalid address.
    package static func email(_ address: String, isVerified: Bool, password: ImportedPassword? = nil) -> Self? {
        guard let form = EmailForm(of: address) else { return nil }
        return Self(
            provider: .email, team: SignInRecord.Person.emailTeam, subject: form.subject, email: address,
            emailVerified: isVerified, password: password)
    }

    /// The name under which the table `imported_people` remembers the identity.
    var kind: String { provider.rawValue }

    var personHash: TokenHash { TokenHash.person(team: team, subject: subject) }
}

/// A password at another service.
package enum ImportedPassword: Equatable, Sendable, Redacted {
    /// A hash that can be checked at the first sign-in.
    case hash(String)
    /// A hash that can't be checked. The person must choose a new password.
    case unknown

    /// Reads a stored hash. A hash that this machine can't check is ``unknown``.
    /// - Parameter isExported: whether siwa has exported it. Otherwise a hash that costs more than Firebase's may is
    ///   ``unknown``, too, because each guess would cost as much.
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

/// A refresh token of Apple's in a file.
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

/// The data of an account in an export of siwa, without its identities.
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

/// An account that was merged into an exported account.
package struct PortableMerge: Equatable, Sendable {
    package var account: AccountID
    package var mergedAt: Timestamp

    package init(account: AccountID, mergedAt: Timestamp) {
        self.account = account
        self.mergedAt = mergedAt
    }

    /// A hash in place of that of the merge's handle, which stays at the other service. No handle here has this hash.
    var handleHash: TokenHash { TokenHash(of: "imported merge\n" + account.rawValue) }
}

/// A consent in an export of siwa.
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

/// The data of an identity in an export of siwa, without its key and its address.
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
