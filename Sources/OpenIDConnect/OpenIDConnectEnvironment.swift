#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The clock and the source of randomness, passed in so that tests can fix both.
public struct OpenIDConnectEnvironment: Sendable {
    /// Returns the time by which tokens are judged and client assertions are dated.
    public var now: @Sendable () -> Date
    /// Returns as many bytes as asked for, from a cryptographic source.
    public var randomBytes: @Sendable (Int) -> [UInt8]

    /// Creates an environment of your own; ``live`` is the usual one.
    public init(now: @escaping @Sendable () -> Date, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// The system's clock and its random number generator.
    public static let live = Self(
        now: { Date() },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        })

    /// Seconds since 1970, rounded down.
    var seconds: Int64 {
        // Leaves room to add and subtract without overflow, at the far ends of time too.
        let farthest = 1e17
        return Int64(min(max(now().timeIntervalSince1970.rounded(.down), -farthest), farthest))
    }
}
