import AppleID
import Foundation
import TaskSignals

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
    private let time: Lock<Date>
    private let waits = Lock<[Duration]>([])

    init(_ seconds: TimeInterval = TimeInterval(TestClaims.issuedAt)) {
        time = Lock(Date(timeIntervalSince1970: seconds))
    }

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }

    /// How long something waited, each time: a wait ends at once and moves the clock.
    var delays: [Duration] { waits.withLock { $0 } }

    var environment: AppleIDEnvironment {
        AppleIDEnvironment(
            now: { self.now }, randomBytes: AppleIDEnvironment.live.randomBytes,
            sleep: { duration in
                try Task.checkCancellation()
                self.waits.withLock { $0.append(duration) }
                self.advance(by: duration / .seconds(1))
            })
    }
}
