/// The body of `POST /v1/sign-in/{provider}`: the identity token that the app got from a provider other than Apple.
public struct ProviderSignInRequest: Hashable, Sendable {
    /// The provider's identity token in compact form.
    public var identityToken: String
    /// The raw nonce: a challenge of this server, which the provider was given as it is; or 20 to 128 printable ASCII
    /// characters of the app's own, which the provider was given as their lowercase hexadecimal SHA-256.
    public var nonce: String
    /// The name that the app got beside the token. It counts only if the token has none.
    public var fullName: FullName?
    /// The name by which the person knows the device, for the list of sessions.
    public var deviceName: String?

    /// Creates the body of a call.
    public init(identityToken: String, nonce: String, fullName: FullName? = nil, deviceName: String? = nil) {
        self.identityToken = identityToken
        self.nonce = nonce
        self.fullName = fullName
        self.deviceName = deviceName
    }
}

extension ProviderSignInRequest: Codable {
    private enum CodingKeys: String, CodingKey { case identityToken, nonce, fullName, deviceName }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(fullName, forKey: .fullName)
        try container.encode(deviceName, forKey: .deviceName)
    }
}

/// The body of `POST /v1/link/{provider}`: a fresh identity token of a provider other than Apple, whose person becomes
/// one more way in to the caller's account.
public struct ProviderLinkRequest: Hashable, Sendable {
    /// The provider's identity token in compact form.
    public var identityToken: String
    /// A challenge of this server for the purpose ``ChallengePurpose/link``, made in this session.
    public var nonce: String
    /// The name that the app got beside the token. It counts only if the account and the token have none.
    public var fullName: FullName?
    /// The person's consent to the text that the error `consent_required` named. Null if there is none.
    public var consent: ConsentGivenBody?

    /// Creates the body of a call.
    public init(
        identityToken: String, nonce: String, fullName: FullName? = nil, consent: ConsentGivenBody? = nil
    ) {
        self.identityToken = identityToken
        self.nonce = nonce
        self.fullName = fullName
        self.consent = consent
    }
}

extension ProviderLinkRequest: Codable {
    private enum CodingKeys: String, CodingKey { case identityToken, nonce, fullName, consent }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identityToken, forKey: .identityToken)
        try container.encode(nonce, forKey: .nonce)
        try container.encode(fullName, forKey: .fullName)
        try container.encode(consent, forKey: .consent)
    }
}

/// The body of `POST /v1/reauthenticate/{provider}`: a fresh identity token about the person who owns the session.
public struct ProviderReauthenticationRequest: Hashable, Sendable, Codable {
    /// The provider's identity token in compact form.
    public var identityToken: String
    /// A challenge of this server for the purpose ``ChallengePurpose/reauthenticate``, made in this session.
    public var nonce: String

    /// Creates the body of a call.
    public init(identityToken: String, nonce: String) {
        self.identityToken = identityToken
        self.nonce = nonce
    }
}
