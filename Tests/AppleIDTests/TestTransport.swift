import AppleID
import HTTPTypes
import TaskSignals

/// Apple's end of the wire: answers each request as the test says, when the test says.
final class TestTransport: AppleTransport {
    /// How a request is answered.
    enum Answer: Sendable {
        case response(AppleResponse)
        case failure(any Error)
        /// Not until ``release()``, then as that says.
        indirect case held(then: Answer)

        static func ok(_ body: [UInt8]) -> Self {
            .response(AppleResponse(status: 200, headerFields: [.contentType: "application/json"], body: body))
        }

        static func status(_ status: Int, _ body: String = "") -> Self {
            .response(AppleResponse(status: HTTPResponse.Status(code: status), body: Array(body.utf8)))
        }
    }

    struct Lost: Error {}

    private struct State {
        /// The last one stays.
        var answers: [Answer]
        var requests: [AppleRequest] = []
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Lock<State>

    init(_ answer: Answer) {
        state = Lock(State(answers: [answer]))
    }

    var requests: [AppleRequest] { state.withLock { $0.requests } }

    /// Answers with each in turn, and with the last from then on.
    func answer(_ answers: Answer...) {
        state.withLock { $0.answers = answers }
    }

    /// Lets every held request go on.
    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Returns once so many requests have been made in all, and those to be held are held.
    func waitForRequests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.requests.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        var answer = state.withLock { $0.answers.count > 1 ? $0.answers.removeFirst() : $0.answers[0] }
        if case .held(let then) = answer {
            await withCheckedContinuation { continuation in
                note(request) { $0.held.append(continuation) }
            }
            answer = then
        } else {
            note(request) { _ in }
        }
        switch answer {
        case .response(let response): return response
        case .failure(let error): throw error
        case .held: throw Lost()
        }
    }

    private func note(_ request: AppleRequest, _ body: (inout State) -> Void) {
        let ready = state.withLock { state in
            state.requests.append(request)
            body(&state)
            let ready = state.watchers.filter { $0.count <= state.requests.count }
            state.watchers.removeAll { $0.count <= state.requests.count }
            return ready
        }
        for watcher in ready { watcher.continuation.resume() }
    }
}
