/// The answer to `GET /healthz`: the process lives. It looks at nothing else.
public struct HealthAnswer: Hashable, Sendable, Codable {
    /// Always `ok`.
    public var status: String

    public init(status: String = "ok") {
        self.status = status
    }
}
