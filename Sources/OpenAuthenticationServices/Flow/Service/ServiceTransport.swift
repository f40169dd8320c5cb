/// How calls reach the account service. An app brings its own for a proxy, a pinned certificate or a test.
public struct ServiceTransport: Sendable {
    /// Sends one request and returns the answer, whatever its status; throws only when no answer came.
    ///
    /// It follows no redirects, since the request holds secrets, and ends soon after its task is cancelled.
    public var send: @Sendable (ServiceRequest) async throws -> ServiceAnswer
    /// Sends one request and returns as soon as the answer's head is there, whatever its status; its body comes while
    /// it arrives. Nil where a transport cannot do that: then the events of an account cannot be followed.
    public var stream: (@Sendable (ServiceRequest) async throws -> ServiceStream)?

    public init(
        send: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer,
        stream: (@Sendable (ServiceRequest) async throws -> ServiceStream)? = nil
    ) {
        self.send = send
        self.stream = stream
    }
}
