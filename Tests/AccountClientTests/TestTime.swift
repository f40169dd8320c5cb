import AccountClient
import AuthenticationServicesTesting
import Foundation
import TaskSignals

/// A clock that stands until it is moved. Pauses before another attempt pass at once and are noted; the longer limits
/// of calls pass when the test says so.
final class TestTime: Sendable {
    private struct Content {
        var now = ContinuousClock.now
        var pauses: [Duration] = []
        var date = Date(timeIntervalSince1970: 1_800_000_000)
        var revocations = 0
        var passesLongPauses = false
    }

    private let content = Lock(Content())
    private let limits = AuthorizationSignal()

    func advance(by duration: Duration) {
        content.withLock { content in
            content.now += duration
            content.date += TimeInterval(duration.components.seconds)
        }
    }

    /// How often the process was told that Apple's access has ended.
    var revocations: Int { content.withLock { $0.revocations } }

    /// The pauses between attempts so far.
    var pauses: [Duration] { content.withLock { $0.pauses } }

    func endLimits() {
        limits.send()
    }

    /// Lets long pauses pass at once, too. The limits of calls, which are five seconds, go on.
    func passLongPauses() {
        content.withLock { $0.passesLongPauses = true }
    }

    var environment: ClientEnvironment {
        ClientEnvironment(
            now: { self.content.withLock { $0.now } },
            sleep: { duration in
                let isPause = self.content.withLock { content in
                    let isPause = duration < .seconds(5) || content.passesLongPauses && duration > .seconds(5)
                    if isPause { content.pauses.append(duration) }
                    return isPause
                }
                if isPause { return }
                await self.limits.wait()
                try Task.checkCancellation()
            },
            // The largest byte would make a pause of five seconds, which is a limit's length here.
            randomBytes: { count in ClientEnvironment.system.randomBytes(count).map { min($0, .max - 1) } },
            date: { self.content.withLock { $0.date } },
            appleAccessEnded: { self.content.withLock { $0.revocations += 1 } }, languages: { ["de-AT", "en"] })
    }
}
