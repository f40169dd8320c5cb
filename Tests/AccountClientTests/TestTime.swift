import AccountClient
import AuthenticationServicesTesting
import Synchronization

/// A clock that stands until it is moved. Pauses before another attempt pass at once and are noted; the longer limits
/// of calls pass when the test says so.
final class TestTime: Sendable {
    private struct Content {
        var now = ContinuousClock.now
        var pauses: [Duration] = []
    }

    private let content = Mutex(Content())
    private let limits = AuthorizationSignal()

    func advance(by duration: Duration) {
        content.withLock { $0.now += duration }
    }

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
            randomBytes: ClientEnvironment.system.randomBytes)
    }
}
