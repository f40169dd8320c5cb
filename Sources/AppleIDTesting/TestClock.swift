public import AppleID
public import AppleIDEmulator
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A clock that a test sets: one for both ends, so that a token is never younger than its verifier thinks.
public final class TestClock: Sendable {
    private let time: Mutex<Date>

    /// Stands at the beginning of 2026 unless told otherwise, and does not run.
    public init(_ now: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        time = Mutex(now)
    }

    /// Whole seconds are best: Apple's wire has nothing smaller.
    public var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    /// Moves on, or back for a negative duration.
    public func advance(by duration: Duration) {
        let parts = duration.components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
        time.withLock { $0 = $0.addingTimeInterval(seconds) }
    }

    /// For the library: this clock, and the system's randomness. A wait ends at once and moves the clock.
    public var appleIDEnvironment: AppleIDEnvironment {
        AppleIDEnvironment(
            now: { self.now }, randomBytes: AppleIDEnvironment.live.randomBytes,
            sleep: { duration in
                try Task.checkCancellation()
                self.advance(by: duration)
            })
    }

    /// For the emulator: this clock, and the system's randomness.
    public var emulatorEnvironment: EmulatorEnvironment {
        EmulatorEnvironment(now: { self.now }, randomBytes: EmulatorEnvironment.live.randomBytes)
    }
}
