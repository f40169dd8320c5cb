/// One event of `GET /v1/account/events`, as its `data`.
public struct AccountEventBody: Hashable, Sendable {
    /// What happened: `signed_in`, `session_ended`, `apple_access_ended`, `apple_access_revoked`,
    /// `email_forwarding_changed`, `account_deleted`; words may be added.
    public var kind: String
    public var at: APITime
    /// The session or identity that it is about.
    public var about: String?
    /// A code that says why.
    public var reason: String?

    public init(kind: String, at: APITime, about: String?, reason: String?) {
        self.kind = kind
        self.at = at
        self.about = about
        self.reason = reason
    }
}

extension AccountEventBody: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, at, about, reason
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(at, forKey: .at)
        try container.encode(about, forKey: .about)
        try container.encode(reason, forKey: .reason)
    }
}
