/// Repeats a call of the account service, a bounded number of times, after failures that pass.
///
/// The pauses double from half a second, and are never shorter than the service asks for.
package struct Retries: Sendable {
    private let attempts: Int
    private let sleep: @Sendable (Duration) async throws -> Void
    private let randomByte: @Sendable () -> UInt8

    /// - Parameters:
    ///   - attempts: how often the call is made at most.
    ///   - randomByte: spreads the pauses.
    package init(
        attempts: Int, sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomByte: @escaping @Sendable () -> UInt8
    ) {
        self.attempts = attempts
        self.sleep = sleep
        self.randomByte = randomByte
    }

    /// - Parameter isFinal: failures after which a repeat is of no use.
    package func run<Value: Sendable>(
        unless isFinal: (ServiceError) -> Bool = { _ in false },
        _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        var backoff = Backoff(first: .milliseconds(500), longest: .seconds(300))
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
    private let longest: Duration

    package init(first: Duration, longest: Duration) {
        length = first
        self.longest = longest
    }

    /// The next pause, varied by a random byte.
    package mutating func next(_ random: UInt8) -> Duration {
        defer { length = min(length * 2, longest) }
        return length.varied(by: random)
    }
}

extension Duration {
    /// Between three quarters and five quarters of this, so that many devices that lost the same server do not come
    /// back at once.
    package func varied(by random: UInt8) -> Duration {
        self * (0.75 + Double(random) / 255 / 2)
    }
}
