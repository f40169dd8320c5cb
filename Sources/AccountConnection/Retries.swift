/// Repeats a call to the account service after transient failures, a limited number of times.
///
/// The pauses double from half a second, and are never shorter than the service asks for.
package struct Retries: Sendable {
    private let attempts: Int
    private let sleep: @Sendable (Duration) async throws -> Void
    private let randomByte: @Sendable () -> UInt8

    /// - Parameters:
    ///   - attempts: the maximum number of calls.
    ///   - randomByte: varies the pauses.
    package init(
        attempts: Int, sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomByte: @escaping @Sendable () -> UInt8
    ) {
        self.attempts = attempts
        self.sleep = sleep
        self.randomByte = randomByte
    }

    /// - Parameter isFinal: whether a repeat is of no use after a failure.
    package func run<Value: Sendable>(
        unless isFinal: (ServiceError) -> Bool = { _ in false },
        _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        var backoff = Backoff(first: .milliseconds(500), maximum: .seconds(300))
        var attempt = 1
        while true {
            do {
                return try await work()
            } catch {
                guard attempt < attempts, error.isTransient, !isFinal(error) else { throw error }
                do {
                    try await sleep(max(backoff.next(randomByte()), error.askedPause))
                } catch {
                    throw .cancelled
                }
                attempt += 1
            }
        }
    }
}

/// The pauses between attempts: each is twice as long as the one before, up to a limit.
package struct Backoff: Sendable {
    private var length: Duration
    private let maximum: Duration

    package init(first: Duration, maximum: Duration) {
        length = first
        self.maximum = maximum
    }

    /// The next pause, varied by a random byte.
    package mutating func next(_ random: UInt8) -> Duration {
        defer { length = min(length * 2, maximum) }
        return length.varied(by: random)
    }
}

extension Duration {
    /// Returns between three quarters and five quarters of this duration. So many devices that lost one server don't come
    /// back at once.
    package func varied(by random: UInt8) -> Duration {
        self * (0.75 + Double(random) / 255 / 2)
    }
}
