/// One place where a person is signed in, as the list of sessions shows it.
public struct ListedSession: Hashable, Sendable {
    /// Ends the session in `DELETE /v1/sessions/{id}`.
    public var id: String
    /// `browser` or `tokens`; more may follow.
    public var kind: String
    /// The app or Services ID through which the person signed in.
    public var clientID: String
    /// As the client calls its device, or a plain name of the browser; null when nobody has said.
    public var deviceName: String?
    public var createdAt: APITime
    /// When the session was last renewed. A browser's is noted once an hour.
    public var lastUsedAt: APITime
    /// When the session ends unless it is used before.
    public var expiresAt: APITime
    /// Whether it is the session of this call.
    public var current: Bool

    public init(
        id: String, kind: String, clientID: String, deviceName: String?, createdAt: APITime, lastUsedAt: APITime,
        expiresAt: APITime, current: Bool
    ) {
        self.id = id
        self.kind = kind
        self.clientID = clientID
        self.deviceName = deviceName
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.current = current
    }
}

extension ListedSession: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, kind, clientID, deviceName, createdAt, lastUsedAt, expiresAt, current
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(deviceName, forKey: .deviceName)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(lastUsedAt, forKey: .lastUsedAt)
        try container.encode(expiresAt, forKey: .expiresAt)
        try container.encode(current, forKey: .current)
    }
}
