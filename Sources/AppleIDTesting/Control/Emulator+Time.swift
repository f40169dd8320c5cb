public import AppleIDEmulator
import HTTPTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The emulator's own clock, which counts from the clock that the emulator was given. With a ``TestClock``, move that one
/// instead, and both ends have the same time. Move the emulator's alone to see what happens if Apple's clock differs from yours.
@available(siwaServer 1.0, *)
extension Emulator {
    /// Returns the emulator's time.
    public func time() async throws -> Date { try await controlled(.get, "/emulator/clock", as: Clock.self).date }

    /// Sets the emulator's time.
    /// - Parameter time: whole seconds are used.
    /// - Throws: ``ControlRefused`` for a time before 1970 or after the year 9999.
    public func setTime(_ time: Date) async throws {
        try await control(
            .post, "/emulator/clock", ["now": Member(number: Int(time.timeIntervalSince1970.rounded(.down)))])
    }

    /// Moves the emulator's time forward, or back for a negative duration. Codes, secrets and tokens age by it.
    /// - Parameter duration: whole seconds are used.
    public func advance(by duration: Duration) async throws {
        try await control(.post, "/emulator/clock", ["advance": Member(number: Int(duration.components.seconds))])
    }

    /// Stops the emulator's clock, or lets it run on.
    public func freezeTime(_ isFrozen: Bool = true) async throws {
        try await control(.post, "/emulator/clock", ["frozen": Member(flag: isFrozen)])
    }

    /// Goes back to the time of the clock that the emulator was given.
    public func resetTime() async throws {
        try await control(.post, "/emulator/clock", ["reset": Member(flag: true)])
    }

    private struct Clock: Decodable {
        let now: Int64

        var date: Date { Date(timeIntervalSince1970: TimeInterval(now)) }
    }
}
