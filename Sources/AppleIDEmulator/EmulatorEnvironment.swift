#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Clock and randomness of an emulator: the two things a test wants to hold in its hand.
///
/// Key pairs are not made from ``randomBytes``; they always come from the system.
public struct EmulatorEnvironment: Sendable {
    /// The time by which codes age, client secrets expire and tokens are dated.
    public var now: @Sendable () -> Date
    /// That many unpredictable bytes, for codes, tokens and identifiers of pages.
    public var randomBytes: @Sendable (Int) -> [UInt8]

    public init(now: @escaping @Sendable () -> Date, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// The system's clock and its cryptographic generator.
    public static let live = Self(
        now: { Date() },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
    )

    /// Whole seconds since 1970, the only unit on Apple's wire.
    var seconds: Int64 { Int64(now().timeIntervalSince1970.rounded(.down)) }
}
