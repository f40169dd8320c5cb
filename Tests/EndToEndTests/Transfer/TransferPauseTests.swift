import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import TaskSignals
import Testing

@testable import AccountService

@Suite("The requests of a transfer", .timeLimit(.minutes(2)))
struct TransferPauseTests {
    @Test("respect Apple's pause, also those that were already waiting")
    func pause() async throws {
        let app = try await MovingApp(.sqlite)
        let account = try await app.system.domain.signIn.native(app.system.device()).account.id
        let subject = try #require(try await app.system.store.identities(of: account).first).subject
        let people = 8
        let clock = SteppedClock(tasks: people)
        let apple = PausingApple(app.system.apple, clock: clock)
        let questions = try app.questions(of: MovingApp.former, rate: 4, over: apple, environment: clock.environment)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<people {
                group.addTask {
                    defer { clock.finish() }
                    _ = try await questions.transferSubject(of: subject, to: MovingApp.new)
                }
            }
            try await group.waitForAll()
        }
        let times = apple.times.sorted()
        let first = try #require(times.first)
        #expect(times.count == people + 1)
        #expect(times.dropFirst().allSatisfy { $0 >= first.addingTimeInterval(29.999) })
    }
}

/// An Apple that answers the first question with a wish for a pause of thirty seconds.
private final class PausingApple: AppleTransport {
    private let inner: any AppleTransport
    private let clock: SteppedClock
    private let asked = Lock<[Date]>([])

    init(_ inner: any AppleTransport, clock: SteppedClock) {
        self.inner = inner
        self.clock = clock
    }

    /// The moments of the questions.
    var times: [Date] { asked.withLock { $0 } }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        guard request.url.contains("/auth/usermigrationinfo") else { return try await inner.send(request) }
        let count = asked.withLock { times in
            times.append(clock.now)
            return times.count
        }
        guard count > 1 else {
            return AppleResponse(status: .tooManyRequests, headerFields: [.retryAfter: "30"], body: Array("{}".utf8))
        }
        return try await inner.send(request)
    }
}

/// A clock that moves to the next end of a sleep as soon as all tasks sleep.
private final class SteppedClock: Sendable {
    private struct State {
        var now = Date(timeIntervalSince1970: 1_767_225_600)
        var tasks: Int
        var sleepers: [(until: Date, wake: CheckedContinuation<Void, Never>)] = []

        /// Takes the sleeper who wakes first, once nobody is awake.
        mutating func next() -> CheckedContinuation<Void, Never>? {
            guard sleepers.count >= tasks,
                let first = sleepers.indices.min(by: { sleepers[$0].until < sleepers[$1].until })
            else { return nil }
            let sleeper = sleepers.remove(at: first)
            now = max(now, sleeper.until)
            return sleeper.wake
        }
    }

    private let state: Lock<State>

    init(tasks: Int) {
        state = Lock(State(tasks: tasks))
    }

    var now: Date { state.withLock { $0.now } }

    var environment: AppleIDEnvironment {
        AppleIDEnvironment(
            now: { self.now }, randomBytes: AppleIDEnvironment.live.randomBytes,
            sleep: { span in
                await withCheckedContinuation { wake in
                    self.state.withLock { state in
                        state.sleepers.append((until: state.now.addingTimeInterval(span / .seconds(1)), wake: wake))
                        return state.next()
                    }?.resume()
                }
            })
    }

    /// One of the tasks has ended.
    func finish() {
        state.withLock { state in
            state.tasks -= 1
            return state.tasks > 0 ? state.next() : nil
        }?.resume()
    }
}
