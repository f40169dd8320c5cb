import Foundation
import TaskSignals

/// A clock that goes when it is told to.
final class TestClock: Sendable {
    private let time = Lock(Date(timeIntervalSince1970: 1_795_000_000))

    var now: Date { time.withLock { $0 } }

    func advance(by span: Duration) {
        time.withLock { $0 += Double(span.components.seconds) }
    }
}
