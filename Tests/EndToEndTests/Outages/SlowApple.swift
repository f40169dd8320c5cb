import AppleID
import AppleIDTesting
import TaskSignals

/// An Apple that takes its time: a request to one address is carried out, or not, when the test says so.
final class SlowApple: AppleTransport {
    /// When a request that is held reaches Apple.
    enum Moment {
        /// At once; its answer is what takes long.
        case before
        /// When it is let go.
        case after
    }

    private let inner: EmulatorTransport
    private let path: String
    private let arrival: Moment
    private let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    private let gate = Lock<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    init(_ inner: EmulatorTransport, at path: String, arriving arrival: Moment) {
        (self.inner, self.path, self.arrival) = (inner, path, arrival)
    }

    /// Returns when a request is held.
    func holdsOne() async {
        var iterator = arrivals.makeAsyncIterator()
        await iterator.next()
    }

    /// From now on nothing is held any more.
    func letGo() {
        let waiting = gate.withLock { gate in
            defer { gate = (true, []) }
            return gate.waiting
        }
        for request in waiting { request.resume() }
    }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        guard request.url.hasSuffix(path) else { return try await inner.send(request) }
        switch arrival {
        case .before:
            let answer = try await inner.send(request)
            await wait()
            return answer
        case .after:
            await wait()
            return try await inner.send(request)
        }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = gate.withLock { gate in
                if !gate.isOpen { gate.waiting.append(continuation) }
                return gate.isOpen
            }
            if isOpen { continuation.resume() }
            arrived.yield()
        }
    }
}
