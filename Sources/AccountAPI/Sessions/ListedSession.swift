/// One place where a person is signed in, as the list of sessions shows it.
public struct ListedSession: Hashable, Sendable {
    /// Ends the session in `DELETE /v1/sessions/{id}`.
    public var id: String
    /// `browser` or `tokens`; more may follow.
    public var kind: String
    /// The app or Services ID through which the person signed in.
    public var clientID: String
    /// The name that the service knows the app or website by; null when it has none.
    public var appName: String?
    /// As the client calls its device, or a plain name of the browser; null when nobody has said.
    public var deviceName: String?
    public var createdAt: APITime
    /// The IP address that the session was opened from; null when the service no longer knows it.
    public var signInAddress: String?
    /// When the session was last renewed. A browser's is noted once an hour.
    public var lastUsedAt: APITime
    /// When the session ends unless it is used before.
    public var expiresAt: APITime
    /// Whether it is the session of this call.
    public var current: Bool

    public init(
        id: String, kind: String, clientID: String, appName: String? = nil, deviceName: String?, createdAt: APITime,
        signInAddress: String? = nil, lastUsedAt: APITime, expiresAt: APITime, current: Bool
    ) {
        self.id = id
        self.kind = kind
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
        case id, kind, clientID, appName, deviceName, createdAt, signInAddress, lastUsedAt, expiresAt, current
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
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
