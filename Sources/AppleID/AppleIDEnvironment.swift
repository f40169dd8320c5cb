#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Clock and randomness, passed in so that tests can settle both.
public struct AppleIDEnvironment: Sendable {
    public var now: @Sendable () -> Date
    /// As many bytes as asked for, from a cryptographic source.
    public var randomBytes: @Sendable (Int) -> [UInt8]

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
}
