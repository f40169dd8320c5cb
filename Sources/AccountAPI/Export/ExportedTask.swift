/// Something that is still to be done elsewhere.
public struct ExportedTask: Hashable, Sendable {
    /// `revocation` or `code`.
    public var kind: String
    /// `waiting` or `parked`.
    public var state: String
    public var createdAt: APITime

    public init(kind: String, state: String, createdAt: APITime) {
        self.kind = kind
        self.state = state
        self.createdAt = createdAt
    }
}

extension ExportedTask: Codable {
    private enum CodingKeys: String, CodingKey { case kind, state, createdAt }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(state, forKey: .state)
        try container.encode(createdAt, forKey: .createdAt)
    }
}
