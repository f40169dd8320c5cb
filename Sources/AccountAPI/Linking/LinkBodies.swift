/// The body of `POST /v1/link/apple`: a fresh credential of Apple's that becomes one more way in to the caller's account.
public struct AppleLinkRequest: Hashable, Sendable {
    /// Apple's identity token in compact form. Null only beside a code that this server gave; then ``clientID`` says whose
    /// code it is.
    public var identityToken: String?
    /// A code from Apple, or one that this server gave with a credential. Null if there is none.
    public var authorizationCode: String?
    /// A challenge of this server for the purpose ``ChallengePurpose/link``, made in this session.
    public var nonce: String
    /// The client that obtained the code. Required without ``identityToken``, and ignored with it.
    public var clientID: String?
    /// The name that Apple gave the app with the credential. It counts only if the account has none.
    public var fullName: FullName?
    /// The person's consent to the text that the error `consent_required` named. Null if there is none.
    public var consent: ConsentGivenBody?

    /// Creates the body of a call.
    public init(
        identityToken: String?, authorizationCode: String?, nonce: String, clientID: String? = nil,
        fullName: FullName? = nil, consent: ConsentGivenBody? = nil
    ) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.clientID = clientID
        self.fullName = fullName
        self.consent = consent
    }
}

extension AppleLinkRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case identityToken, authorizationCode, nonce, clientID, fullName, consent
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(authorizationCode, forKey: .authorizationCode)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(fullName, forKey: .fullName)
        try container.encode(consent, forKey: .consent)
    }
}

/// The response to `GET /v1/links`, `POST /v1/link/apple` and `POST /v1/link/password/finish`.
public struct LinkListAnswer: Hashable, Sendable, Codable {
    /// The identities that open the account, oldest first.
    public var links: [LinkBody]

    /// Creates a value for the service to send. Clients decode it.
    public init(links: [LinkBody]) {
        self.links = links
    }
}

/// A way in to an account: an Apple Account, an email address, or a person at another provider.
public struct LinkBody: Hashable, Sendable {
    /// The identity's opaque id. `DELETE /v1/links/{id}` removes it.
    public var id: String
    /// The provider that knows the person: `apple`, `email` for an address, or the id of another provider.
    public var provider: String
    /// The team at Apple that knows the person. Null for another provider.
    public var team: String?
    /// The address that Apple or another provider gave last, or with which the person signs in. Null for none.
    public var address: String?
    /// Whether the address is one of Apple's relay addresses.
    public var isPrivateEmail: Bool
    /// Whether the person can sign in with the address and a password.
    public var hasPassword: Bool
    /// The time at which it became a way in to the account.
    public var addedAt: APITime
    /// The time at which the person last proved it: signed in with it, or tried to add it to another account.
    public var lastSignInAt: APITime
    /// Whether it opened the session of this call.
    public var current: Bool

    /// Creates a value for the service to send. Clients decode it.
    public init(
        id: String, provider: String, team: String?, address: String?, isPrivateEmail: Bool, hasPassword: Bool,
        addedAt: APITime, lastSignInAt: APITime, current: Bool
    ) {
        self.id = id
        self.provider = provider
        self.team = team
        self.address = address
        self.isPrivateEmail = isPrivateEmail
        self.hasPassword = hasPassword
        self.addedAt = addedAt
        self.lastSignInAt = lastSignInAt
        self.current = current
    }
}

extension LinkBody: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, provider, team, address, isPrivateEmail, hasPassword, addedAt, lastSignInAt, current
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(provider, forKey: .provider)
        try container.encode(team, forKey: .team)
        try container.encode(address, forKey: .address)
        try container.encode(isPrivateEmail, forKey: .isPrivateEmail)
        try container.encode(hasPassword, forKey: .hasPassword)
        try container.encode(addedAt, forKey: .addedAt)
        try container.encode(lastSignInAt, forKey: .lastSignInAt)
        try container.encode(current, forKey: .current)
    }
}

/// The response to `DELETE /v1/links/{id}`.
public struct UnlinkAnswer: Hashable, Sendable {
    /// The identities that open the account now, oldest first.
    public var links: [LinkBody]
    /// Whether the session of this call has ended, because the removed identity had opened it.
    public var endsSession: Bool
    /// The steps for the person if the service can't ask Apple to end its authorization. Null if it asks, or if nothing
    /// is left to end.
    public var manualRemoval: ManualRemoval?

    /// Creates a value for the service to send. Clients decode it.
    public init(links: [LinkBody], endsSession: Bool, manualRemoval: ManualRemoval?) {
        self.links = links
        self.endsSession = endsSession
        self.manualRemoval = manualRemoval
    }
}

extension UnlinkAnswer: Codable {
    private enum CodingKeys: String, CodingKey { case links, endsSession, manualRemoval }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(links, forKey: .links)
        try container.encode(endsSession, forKey: .endsSession)
        try container.encode(manualRemoval, forKey: .manualRemoval)
    }
}

/// The `details` of ``ErrorCode/credentialAlreadyInUse`` from `POST /v1/link/apple`: `{"handle", "expiresAt"}`.
public struct CredentialConflictBody: Hashable, Sendable, Codable {
    /// The secret with which `POST /v1/sign-in/handle` signs in to the other account, once, in this session.
    public var handle: String
    /// The time at which the handle expires.
    public var expiresAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(handle: String, expiresAt: APITime) {
        self.handle = handle
        self.expiresAt = expiresAt
    }
}

/// The body of `POST /v1/sign-in/handle`, which signs in to the account of an Apple Account that could not be linked.
public struct HandleSignInRequest: Hashable, Sendable {
    /// The handle that the error `credential_already_in_use` brought.
    public var handle: String
    /// The name by which the person knows the device. Null for the one that the session has.
    public var deviceName: String?

    /// Creates the body of a call.
    public init(handle: String, deviceName: String? = nil) {
        self.handle = handle
        self.deviceName = deviceName
    }
}

extension HandleSignInRequest: Codable {
    private enum CodingKeys: String, CodingKey { case handle, deviceName }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(handle, forKey: .handle)
        try container.encode(deviceName, forKey: .deviceName)
    }
}

/// The body of `POST /v1/link/password`: an address and a password that become one more way in to the caller's account, once
/// the link is used that the address gets.
public struct PasswordLinkRequest: Hashable, Sendable {
    /// The address, as the person typed it.
    public var email: String
    /// The new password.
    public var password: String
    /// The person's consent to the text that the error `consent_required` named. Null if there is none.
    public var consent: ConsentGivenBody?

    /// Creates the body of a call.
    public init(email: String, password: String, consent: ConsentGivenBody? = nil) {
        self.email = email
        self.password = password
        self.consent = consent
    }
}

extension PasswordLinkRequest: Codable {
    private enum CodingKeys: String, CodingKey { case email, password, consent }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(email, forKey: .email)
        try container.encode(password, forKey: .password)
        try container.encode(consent, forKey: .consent)
    }
}

/// The body of `POST /v1/link/password/finish`.
public struct PasswordLinkFinishRequest: Hashable, Sendable, Codable {
    /// The last part of the link in the mail.
    public var link: String

    /// Creates the body of a call.
    public init(link: String) {
        self.link = link
    }
}
