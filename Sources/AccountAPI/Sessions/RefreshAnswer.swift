/// The answer to `POST /v1/session/refresh`.
public struct RefreshAnswer: Hashable, Sendable, Codable {
    public var session: SessionBody

    public init(session: SessionBody) {
        self.session = session
    }
}
