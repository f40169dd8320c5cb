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
