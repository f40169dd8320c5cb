#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Clock and randomness, passed in so that tests can settle both.
public struct AppleIDEnvironment: Sendable {
    /// The time by which tokens are judged and client secrets are dated; Apple's and this one may differ by a minute.
    public var now: @Sendable () -> Date
    /// As many bytes as asked for, from a cryptographic source.
    public var randomBytes: @Sendable (Int) -> [UInt8]

    /// Waits before Apple is asked again; throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: as ``sleep``; by default a task that sleeps.
    public init(
        now: @escaping @Sendable () -> Date, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.sleep = sleep
    }

    /// The system's clock and its random number generator.
    public static let live = Self(
        now: { Date() },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            while bytes.count < count {
                // Eight at a time: each number is a call of the system.
                let number: UInt64 = generator.next()
                for shift in stride(from: 0, to: 64, by: 8) where bytes.count < count {
                    bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
                }
            }
            return bytes
        })
}
