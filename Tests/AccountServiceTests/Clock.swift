import AppleID
import Foundation
import TaskSignals

/// A clock that stands still until it is set.
final class Clock: Sendable {
    private let seconds = Lock(1_700_000_000.0)

    func advance(_ duration: Duration) {
        seconds.withLock { $0 += Double(duration.components.seconds) }
    }

    var environment: AppleIDEnvironment {
        AppleIDEnvironment(
            now: { Date(timeIntervalSince1970: self.seconds.withLock { $0 }) },
            randomBytes: AppleIDEnvironment.live.randomBytes)
    }
}
