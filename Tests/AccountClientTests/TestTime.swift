import AccountClient
import AuthenticationServicesTesting
import Foundation
import Synchronization

/// A clock that stands until it is moved. Pauses before another attempt pass at once and are noted; the longer limits
/// of calls pass when the test says so.
final class TestTime: Sendable {
    private struct Content {
        var now = ContinuousClock.now
        var pauses: [Duration] = []
        var date = Date(timeIntervalSince1970: 1_800_000_000)
        var revocations = 0
    }

    private let content = Mutex(Content())
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

    var environment: ClientEnvironment {
        ClientEnvironment(
            now: { self.content.withLock { $0.now } },
            sleep: { duration in
                guard duration >= .seconds(5) else { return self.content.withLock { $0.pauses.append(duration) } }
                await self.limits.wait()
                try Task.checkCancellation()
            },
            randomBytes: ClientEnvironment.system.randomBytes,
            date: { self.content.withLock { $0.date } },
            appleAccessEnded: { self.content.withLock { $0.revocations += 1 } })
    }
}
