/// How calls reach the account service. An app brings its own for a proxy, a pinned certificate or a test.
public struct ServiceTransport: Sendable {
    /// Sends one request and returns the answer, whatever its status; throws only when no answer came.
    ///
    /// It follows no redirects, since the request holds secrets, and ends soon after its task is cancelled.
    public var send: @Sendable (ServiceRequest) async throws -> ServiceAnswer

    public init(send: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer) {
        self.send = send
    }
}
