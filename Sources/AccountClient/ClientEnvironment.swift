import Foundation

/// The time and the dice of a client, so that tests neither wait nor guess.
package struct ClientEnvironment: Sendable {
    /// Goes on while the machine sleeps.
    package var now: @Sendable () -> ContinuousClock.Instant
    package var sleep: @Sendable (Duration) async throws -> Void
    package var randomBytes: @Sendable (_ count: Int) -> [UInt8]
    /// The calendar's time, for what outlives the process.
    package var date: @Sendable () -> Date
    /// Tells the process that a person has stopped using the app with their Apple Account.
    package var appleAccessEnded: @Sendable () -> Void

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8],
        date: @escaping @Sendable () -> Date = { Date() },
        appleAccessEnded: @escaping @Sendable () -> Void = CredentialRevocation.post
    ) {
        self.now = now
        self.sleep = sleep
        self.randomBytes = randomBytes
        self.date = date
        self.appleAccessEnded = appleAccessEnded
    }

    package static let system = Self(
        now: { ContinuousClock.now },
        sleep: { try await Task.sleep(for: $0) },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        })
}
