import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    /// Does it again, a bounded number of times, after failures that pass.
    ///
    /// The pauses double from half a second and vary by half of themselves, so that many devices that lost the same
    /// server do not come back as one.
    nonisolated func repeating<Value: Sendable>(
        attempts: Int, unless isFinal: (ServiceError) -> Bool = { _ in false },
        _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        var pause = Duration.milliseconds(500)
        var attempt = 1
        while true {
            do {
                return try await work()
            } catch {
                guard attempt < attempts, error.isTransient, !isFinal(error) else { throw error }
                let part = Double(environment.randomBytes(1).first ?? 0) / 255
                do {
                    try await environment.sleep(max(pause * (0.75 + part / 2), error.askedPause))
                } catch {
                    throw .cancelled
                }
                attempt += 1
                pause *= 2
            }
        }
    }
}
