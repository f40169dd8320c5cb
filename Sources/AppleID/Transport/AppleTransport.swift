/// How a request reaches Apple: over the network, or in process to an emulator.
public protocol AppleTransport: Sendable {
    /// One request, one answer. It follows no redirect, tries nothing twice, ends within a bounded time, and throws
    /// when there is no whole answer.
    func send(_ request: AppleRequest) async throws -> AppleResponse
}
