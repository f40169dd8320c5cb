/// The answer to `GET /v1/sessions`: the caller's live sessions, newest first.
public struct SessionListAnswer: Hashable, Sendable {
    /// 50 at most.
    public var sessions: [ListedSession]
    /// For `?before=` of the next call; null when these are all.
    public var next: String?

    public init(sessions: [ListedSession], next: String?) {
        self.sessions = sessions
        self.next = next
    }
}

extension SessionListAnswer: Codable {
    private enum CodingKeys: String, CodingKey {
        case sessions, next
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sessions, forKey: .sessions)
        try container.encode(next, forKey: .next)
    }
}
