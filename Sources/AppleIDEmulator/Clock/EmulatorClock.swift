import TaskSignals

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The emulator's time: the one it was given, shifted or stopped.
final class EmulatorClock: Sendable {
    /// The times at which the clock can stand, in seconds since 1970, up to the last second of the year 9999. Dates as
    /// texts, and tokens, can't have other times.
    static let seconds: ClosedRange<Int64> = 0...253_402_300_799

    private struct Setting {
        /// Seconds ahead of the given clock.
        var offset: TimeInterval = 0
        var stoppedAt: Date?
    }

    private let given: @Sendable () -> Date
    private let setting = Lock(Setting())

    init(_ environment: EmulatorEnvironment) {
        given = environment.now
    }

    var now: Date {
        let given = given()
        return setting.withLock { $0.stoppedAt ?? given.addingTimeInterval($0.offset) }
    }

    var isStopped: Bool { setting.withLock { $0.stoppedAt != nil } }

    /// Applies a call at once: first it sets or moves the clock, and then stops it or lets it run.
    func apply(_ call: SetClockRequest) {
        let given = given()
        setting.withLock { setting in
            let before = setting.stoppedAt ?? given.addingTimeInterval(setting.offset)
            var time: Date
            switch call.change {
            case .to(let seconds): time = Self.date(seconds)
            case .by(let seconds): time = before.addingTimeInterval(TimeInterval(seconds))
            case .back: time = given
            case nil: time = before
            }
            time = min(max(time, Self.date(Self.seconds.lowerBound)), Self.date(Self.seconds.upperBound))
            setting.offset = time.timeIntervalSince(given)
            let isStopped = call.isStopped ?? (setting.stoppedAt != nil && call.change != .back)
            setting.stoppedAt = isStopped ? time : nil
        }
    }

    private static func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }
}
