/// One place where the person is, or was lately, signed in.
public struct ExportedSession: Hashable, Sendable {
    public var id: String
    /// `browser` or `tokens`.
    public var kind: String
    public var clientID: String
    /// As its client calls it.
    public var deviceName: String?
    public var createdAt: APITime
    public var authenticatedAt: APITime
    public var lastUsedAt: APITime
    public var expiresAt: APITime
    public var endedAt: APITime?
    public var endReason: String?

    public init(
        id: String, kind: String, clientID: String, deviceName: String?, createdAt: APITime, authenticatedAt: APITime,
        lastUsedAt: APITime, expiresAt: APITime, endedAt: APITime?, endReason: String?
    ) {
        self.id = id
        self.kind = kind
        self.clientID = clientID
        self.deviceName = deviceName
        self.createdAt = createdAt
        self.authenticatedAt = authenticatedAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.endedAt = endedAt
        self.endReason = endReason
    }
}

extension ExportedSession: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, kind, clientID, deviceName, createdAt, authenticatedAt, lastUsedAt, expiresAt, endedAt, endReason
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(deviceName, forKey: .deviceName)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(authenticatedAt, forKey: .authenticatedAt)
        try container.encode(lastUsedAt, forKey: .lastUsedAt)
        try container.encode(expiresAt, forKey: .expiresAt)
        try container.encode(endedAt, forKey: .endedAt)
        try container.encode(endReason, forKey: .endReason)
    }
}
