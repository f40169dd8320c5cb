/// The answer to `GET /readyz`, with status 200 when ready and 503 otherwise.
public struct ReadinessAnswer: Hashable, Sendable, Codable {
    public var status: ReadinessStatus
    /// Whose sign-ins this server takes: `apple`, or the URL of the emulator it talks to.
    public var apple: String

    public init(status: ReadinessStatus, apple: String) {
        self.status = status
        self.apple = apple
    }
}
