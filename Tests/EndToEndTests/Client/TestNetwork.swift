import Foundation
import OpenAuthenticationServices
import TaskSignals

/// The way from a client to its service: counts what passes, and fails or changes what it is told to.
final class TestNetwork: Sendable {
    private struct State {
        var isDown = false
        var changes: [String: @Sendable (Data) throws -> Data] = [:]
        var lostRequests: Set<String> = []
        var lostAnswers: Set<String> = []
        var lostOnce: Set<String> = []
        var bodies: [String: [Data]] = [:]
        var waiting: [(path: String, continuation: CheckedContinuation<Void, Never>)] = []
        var answered: Set<String> = []
    }

    private let way: ServiceTransport
    private let state = Lock(State())

    init(_ way: ServiceTransport) {
        self.way = way
    }

    var transport: ServiceTransport {
        ServiceTransport { [self] request in
            let path = request.path
            let (isDown, change, isLost) = state.withLock { state in
                state.bodies[path, default: []].append(request.body ?? Data())
                return (state.isDown, state.changes[path], state.lostRequests.contains(path))
            }
            if isDown || isLost { throw URLError(.cannotConnectToHost) }
            var answer = try await way.send(request)
            note(answerOf: path)
            let isAnswerLost = state.withLock { state in
                state.lostOnce.remove(path) != nil || state.lostAnswers.contains(path)
            }
            if isAnswerLost { throw URLError(.networkConnectionLost) }
            if let change { answer.body = try change(answer.body) }
            return answer
        } stream: { [self] request in
            guard let open = way.stream, !state.withLock({ $0.isDown }) else {
                throw URLError(.cannotConnectToHost)
            }
            let stream = try await open(request)
            note(answerOf: request.path)
            return stream
        }
    }

    /// Waits until a stream at this path has been opened.
    func opened(_ path: String) async { await answered(path) }

    /// Waits until a request to this path has been answered.
    func answered(_ path: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.answered.contains(path) { return true }
                state.waiting.append((path, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func note(answerOf path: String) {
        let ready = state.withLock { state in
            state.answered.insert(path)
            defer { state.waiting.removeAll { $0.path == path } }
            return state.waiting.filter { $0.path == path }
        }
        for entry in ready { entry.continuation.resume() }
    }

    func goDown() { state.withLock { $0.isDown = true } }

    func comeBack() {
        state.withLock { state in
            state.isDown = false
            state.lostRequests = []
            state.lostAnswers = []
        }
    }

    /// From now on no request to this path arrives, until ``comeBack()``.
    func loseRequests(to path: String) { state.withLock { _ = $0.lostRequests.insert(path) } }

    /// From now on requests to this path arrive, and no answer comes back, until ``comeBack()``.
    func loseAnswers(from path: String) { state.withLock { _ = $0.lostAnswers.insert(path) } }

    /// The next answer from this path does not come back.
    func loseNextAnswer(from path: String) { state.withLock { _ = $0.lostOnce.insert(path) } }

    /// Changes a member of every answer from this path.
    func replace(_ member: String, with value: String, in path: String) {
        state.withLock { state in
            state.changes[path] = { body in
                var object = try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
                object[member] = value
                return try JSONSerialization.data(withJSONObject: object)
            }
        }
    }

    /// How many requests went to a path.
    func count(of path: String) -> Int { bodies(to: path).count }

    /// The requests to a path, oldest first.
    func bodies(to path: String) -> [Data] { state.withLock { $0.bodies[path] ?? [] } }
}
