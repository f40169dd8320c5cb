import AppleID
import Foundation
import Synchronization

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
    private let time: Mutex<Date>

    init(_ seconds: TimeInterval = TimeInterval(TestClaims.issuedAt)) {
        time = Mutex(Date(timeIntervalSince1970: seconds))
    }

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }

    var environment: AppleIDEnvironment {
        AppleIDEnvironment(now: { self.now }, randomBytes: AppleIDEnvironment.live.randomBytes)
    }
}
