#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The clock, the randomness and the network of an emulator, which tests replace.
///
/// Key pairs are not made from ``randomBytes``; they always come from the system.
public struct EmulatorEnvironment: Sendable {
    /// Returns the time by which codes age, client secrets expire and tokens are dated.
    public var now: @Sendable () -> Date
    /// Returns the given number of unpredictable bytes, for codes, tokens and identifiers of pages.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// Delivers a notification to an app and returns the status of the answer. It throws if there was no answer.
    ///
    /// If nil, the emulator delivers over the network, with ten seconds for each notification, and follows no redirect.
    public var deliver: (@Sendable (NotificationRequest) async throws -> Int)?

    /// Waits if a fault delays a response.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates an environment.
    ///
    /// - Parameter deliver: delivers notifications; nil for the network.
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

    /// Whole milliseconds since 1970, the unit of events.
    var milliseconds: Int64 { Int64((now().timeIntervalSince1970 * 1_000).rounded(.down)) }
}
