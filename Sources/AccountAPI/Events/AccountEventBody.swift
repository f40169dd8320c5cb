/// The `data` of an event of `GET /v1/account/events`.
public struct AccountEventBody: Hashable, Sendable {
    /// The event type: `signed_in`, `session_ended`, `apple_access_ended`, `apple_access_revoked`,
    /// `email_forwarding_changed`, `profile_changed`, `consent_given`, `consent_withdrawn`, `password_set`,
    /// `password_changed`, `password_reset`, `password_removed`, `password_off`, `upgraded`, `identity_transferred`,
    /// `account_merged` or `account_deleted`. Later versions may add types.
    public var kind: String
    /// The time of the event.
    public var at: APITime
    /// The id of the session, identity or consent that the event is about.
    public var about: String?
    /// A code that gives the reason.
    public var reason: String?

    /// Creates a value for the service to send. Clients decode it.
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

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(at, forKey: .at)
        try container.encode(about, forKey: .about)
        try container.encode(reason, forKey: .reason)
    }
}
