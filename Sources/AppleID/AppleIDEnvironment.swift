#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
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

    /// Returns random bytes, 256 a call of the system: Swift's generator makes a call for every eight.
    private static func systemRandomBytes(_ count: Int) -> [UInt8] {
        #if canImport(Darwin)
            // The SDKs of iOS, tvOS, watchOS and visionOS have no getentropy. This call cannot fail.
            var bytes = [UInt8](repeating: 0, count: count)
            unsafe bytes.withUnsafeMutableBytes { bytes in
                if let place = bytes.baseAddress { unsafe arc4random_buf(place, count) }
            }
            return bytes
        #elseif os(Windows)
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        #else
            var bytes = [UInt8](repeating: 0, count: count)
            unsafe bytes.withUnsafeMutableBytes { bytes in
                for start in stride(from: 0, to: count, by: 256) {
                    let length = min(256, count - start)
                    guard let place = bytes.baseAddress, unsafe getentropy(place + start, length) == 0 else {
                        // This line is reached only on a system without the call, which can keep no secret:
                        // getentropy takes 256 bytes, and `length` is no more; `place` is nil only without bytes, and
                        // then this loop does not run.
                        fatalError("The system has no random numbers.")
                    }
                }
            }
            return bytes
        #endif
    }
}
