public import AppleID
public import AppleIDEmulator
import TaskSignals

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A clock that a test sets, for both the library and the emulator. It does not run.
public final class TestClock: Sendable {
    private let time: Lock<Date>

    /// Creates a clock that stands at the beginning of 2026, or at another time.
    public init(_ now: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        time = Lock(now)
    }

    /// The clock's time. Set whole seconds: Apple's protocol has nothing smaller.
    public var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    /// Moves the clock forward, or back for a negative duration.
    public func advance(by duration: Duration) {
        let parts = duration.components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
        time.withLock { $0 = $0.addingTimeInterval(seconds) }
    }

    /// An environment for the library, with this clock and the system's randomness. A wait ends at once and moves the
    /// clock.
    public var appleIDEnvironment: AppleIDEnvironment {
        AppleIDEnvironment(
            now: { self.now }, randomBytes: AppleIDEnvironment.live.randomBytes,
            sleep: { duration in
                try Task.checkCancellation()
                self.advance(by: duration)
            })
    }

    /// An environment for the emulator, with this clock and the system's randomness.
    public var emulatorEnvironment: EmulatorEnvironment {
        EmulatorEnvironment(now: { self.now }, randomBytes: EmulatorEnvironment.live.randomBytes)
    }
}
