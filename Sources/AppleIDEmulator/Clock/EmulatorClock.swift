import TaskSignals

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The emulator's time: the one it was given, shifted or stopped.
final class EmulatorClock: Sendable {
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
            case .to(let seconds): time = Date(timeIntervalSince1970: TimeInterval(seconds))
            case .by(let seconds): time = before.addingTimeInterval(TimeInterval(seconds))
            case .back: time = given
            case nil: time = before
            }
            // Dates as texts, and tokens, can't have times beyond these years.
            time = min(max(time, SetClockRequest.earliest), SetClockRequest.latest)
            setting.offset = time.timeIntervalSince(given)
            let isStopped = call.isStopped ?? (setting.stoppedAt != nil && call.change != .back)
            setting.stoppedAt = isStopped ? time : nil
        }
    }
}
