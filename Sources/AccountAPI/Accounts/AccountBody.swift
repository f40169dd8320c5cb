/// An account as its person sees it.
public struct AccountBody: Hashable, Sendable {
    /// Opaque; the only member that identifies anybody.
    public var id: String
    /// Null until Apple has told a name.
    public var name: AccountName?
    /// The address that Apple last told; null when it told none.
    public var email: String?
    public var emailVerified: Bool
    /// Whether the address is a relay of Apple's, which forwards to an address that stays hidden.
    public var isPrivateEmail: Bool
    public var createdAt: APITime

    public init(
        id: String, name: AccountName?, email: String?, emailVerified: Bool, isPrivateEmail: Bool, createdAt: APITime
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.emailVerified = emailVerified
        self.isPrivateEmail = isPrivateEmail
        self.createdAt = createdAt
    }
}

extension AccountBody: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, email, emailVerified, isPrivateEmail, createdAt
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(email, forKey: .email)
        try container.encode(emailVerified, forKey: .emailVerified)
        try container.encode(isPrivateEmail, forKey: .isPrivateEmail)
        try container.encode(createdAt, forKey: .createdAt)
    }
}
