public import ServiceLifecycle

extension AsyncHTTPTransport: Service {
    /// Waits until the service group stops it, and then closes the connections as ``shutdown()`` does.
    ///
    /// Put the transport before everything that sends requests with it: a group stops its services from the last to the
    /// first.
    public func run() async throws {
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            // The group was told to stop at once. The connections are to be closed all the same.
        }
        try await shutdown()
    }
}
