/// That a refresh token of Apple's is held.
public struct ExportedAppleToken: Hashable, Sendable {
    /// The app or Services ID that obtained it.
    public var clientID: String
    public var obtainedAt: APITime

    public init(clientID: String, obtainedAt: APITime) {
        self.clientID = clientID
        self.obtainedAt = obtainedAt
    }
}

extension ExportedAppleToken: Codable {
    private enum CodingKeys: String, CodingKey { case clientID, obtainedAt }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(obtainedAt, forKey: .obtainedAt)
    }
}
