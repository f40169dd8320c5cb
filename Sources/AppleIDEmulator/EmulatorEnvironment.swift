#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Clock, randomness and the way out of an emulator: what a test wants to hold in its hand.
///
/// Key pairs are not made from ``randomBytes``; they always come from the system.
public struct EmulatorEnvironment: Sendable {
    /// The time by which codes age, client secrets expire and tokens are dated.
    public var now: @Sendable () -> Date
    /// That many unpredictable bytes, for codes, tokens and identifiers of pages.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// Carries a notification to an app and says with which status it was answered; throws when there was no answer.
    /// Nil: over the network, with ten seconds for each, and no redirect followed.
    public var deliver: (@Sendable (NotificationRequest) async throws -> Int)?

    /// Waits, where a fault has it so.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    public init(
        now: @escaping @Sendable () -> Date, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        deliver: (@Sendable (NotificationRequest) async throws -> Int)? = nil
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.deliver = deliver
    }

    /// The system's clock and its cryptographic generator.
    public static let live = Self(
        now: { Date() },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
    )

    /// Whole seconds since 1970, the unit of Apple's tokens.
    var seconds: Int64 { Int64(now().timeIntervalSince1970.rounded(.down)) }

    /// The same in milliseconds, as events have it.
    var milliseconds: Int64 { Int64((now().timeIntervalSince1970 * 1_000).rounded(.down)) }
}
