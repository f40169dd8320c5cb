#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The clock and the source of randomness, passed in so that tests can fix both.
public struct AppleIDEnvironment: Sendable {
    /// Returns the time by which tokens are judged and client secrets are dated. Apple's clock may differ by a minute.
    public var now: @Sendable () -> Date
    /// Returns as many bytes as asked for, from a cryptographic source.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// Waits before Apple is asked again; throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Creates an environment of your own; ``live`` is the usual one.
    /// - Parameter sleep: waits before Apple is asked again; by default the task sleeps.
    public init(
        now: @escaping @Sendable () -> Date, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.sleep = sleep
    }

    /// The system's clock and its random number generator.
    public static let live = Self(now: { Date() }, randomBytes: systemRandomBytes)

    /// Returns a random number; all of its bits count.
    package func randomNumber() -> UInt64 {
        randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns random bytes, eight from each number of Swift's generator.
    private static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var number: UInt64 = 0
        return (0..<count).map { index in
            number = index.isMultiple(of: 8) ? generator.next() : number >> 8
            return UInt8(truncatingIfNeeded: number)
        }
    }
}
