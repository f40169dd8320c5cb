/// The response to `GET /v1/sessions`: the live sessions of the caller's account, newest first.
public struct SessionListAnswer: Hashable, Sendable {
    /// The sessions, at most 50.
    public var sessions: [ListedSession]
    /// The value for `?before=` in the next call. Null if there are no more sessions.
    public var next: String?

    /// Creates a value for the service to send. Clients decode it.
    public init(sessions: [ListedSession], next: String?) {
        self.sessions = sessions
        self.next = next
    }
}

extension SessionListAnswer: Codable {
    private enum CodingKeys: String, CodingKey {
        case sessions, next
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sessions, forKey: .sessions)
        try container.encode(next, forKey: .next)
    }
}

/// A session in the list of a person's sessions.
public struct ListedSession: Hashable, Sendable {
    /// The session's id. `DELETE /v1/sessions/{id}` ends the session.
    public var id: String
    /// The kind of session: `browser` or `tokens`. Later versions may add kinds.
    public var kind: String
    /// The id of the identity that opened the session, as `GET /v1/links` has it. Null from a server that doesn't tell.
    public var identityID: String?
    /// The provider of that identity: `apple`, `email` for an address, or the id of another provider. Null from a server that
    /// doesn't tell.
    public var provider: String?
    /// The app or Services ID through which the person signed in.
    public var clientID: String
    /// The name that the service has for the app or website. Null if it has none.
    public var appName: String?
    /// The device's name as the client gave it, or a plain name of the browser. Null if nobody gave one.
    public var deviceName: String?
    /// The time of the sign-in.
    public var createdAt: APITime
    /// The IP address that the session was opened from; null when the service no longer knows it.
    public var signInAddress: String?
    /// The time at which the session was renewed last. For a browser it is exact to the hour.
    public var lastUsedAt: APITime
    /// The time at which the session ends, unless it is used before.
    public var expiresAt: APITime
    /// Whether it is the session of this call.
    public var current: Bool

    /// Creates a value for the service to send. Clients decode it.
    public init(
        id: String, kind: String, identityID: String? = nil, provider: String? = nil, clientID: String,
        appName: String? = nil, deviceName: String?, createdAt: APITime, signInAddress: String? = nil,
        lastUsedAt: APITime, expiresAt: APITime, current: Bool
    ) {
        self.id = id
        self.kind = kind
        self.identityID = identityID
        self.provider = provider
        self.clientID = clientID
        self.appName = appName
        self.deviceName = deviceName
        self.createdAt = createdAt
        self.signInAddress = signInAddress
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.current = current
    }
}

extension ListedSession: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, kind, identityID, provider, clientID, appName, deviceName, createdAt, signInAddress, lastUsedAt
        case expiresAt, current
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
        try container.encode(identityID, forKey: .identityID)
        try container.encode(provider, forKey: .provider)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(appName, forKey: .appName)
        try container.encode(deviceName, forKey: .deviceName)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(signInAddress, forKey: .signInAddress)
        try container.encode(lastUsedAt, forKey: .lastUsedAt)
        try container.encode(expiresAt, forKey: .expiresAt)
        try container.encode(current, forKey: .current)
    }
}
