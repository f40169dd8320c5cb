import class OpenAuthenticationServices.Arrival

extension ClientCore {
    /// Works for so long at most. Afterwards the work is cancelled, and not waited for.
    ///
    /// Throws `backendUnavailable` when the time is over, and `cancelled` when the caller is cancelled.
    func withDeadline<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable (ClientCore) async throws -> Value
    ) async throws -> Value {
        let arrival = Arrival<Value>()
        let working = Task {
            do {
                arrival.deliver(.success(try await work(self)))
            } catch {
                arrival.deliver(.failure(error))
            }
        }
        let clock = Task {
            try await environment.sleep(limit)
            arrival.deliver(
                .failure(
                    AccountClientError(
                        .backendUnavailable, "the account service did not answer within \(limit)",
                        hint: "Look at the network and the backend's URL.")))
        }
        defer {
            working.cancel()
            clock.cancel()
        }
        do {
            return try await arrival.value()
        } catch is CancellationError {
            throw AccountClientError(.cancelled, "the caller was cancelled")
        }
    }
}
