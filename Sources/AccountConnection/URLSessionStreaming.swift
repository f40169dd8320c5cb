import Foundation
import TaskSignals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request on a session of its own, whose answer is handed on while it comes in.
final class URLSessionStreaming: NSObject, URLSessionDataDelegate {
    private let head = OneShot<HTTPURLResponse>()
    /// The continuation of the stream. A reference to the stream itself would keep the request from ending.
    private let pieces: AsyncThrowingStream<Data, any Error>.Continuation

    private let lastSign = Lock(ContinuousClock.now)

    /// The maximum number of pieces that wait for the reader. If there are more, the stream breaks off.
    private static let maximumPieces = 256

    private init(pieces: AsyncThrowingStream<Data, any Error>.Continuation) {
        self.pieces = pieces
    }

    /// - Parameter silence: how long nothing may come before the stream breaks off.
    static func open(_ request: ServiceRequest, silence: Duration) async throws -> ServiceStream {
        let (body, pieces) = AsyncThrowingStream<Data, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(maximumPieces))
        let streaming = URLSessionStreaming(pieces: pieces)
        let session = URLSession(
            configuration: .forgetful(silence: silence), delegate: streaming, delegateQueue: nil)
        // The session holds its delegate until then.
        pieces.onTermination = { _ in session.invalidateAndCancel() }
        do {
            #if canImport(FoundationNetworking)
                try await openConnection(of: session, for: request, within: silence)
            #endif
            let watch = Task { await streaming.end(after: silence) }
            pieces.onTermination = { _ in
                watch.cancel()
                session.invalidateAndCancel()
            }
            session.dataTask(with: URLRequest(request, silence: silence)).resume()
            let head = Received().answer(to: try await streaming.head.value())
            return ServiceStream(status: head.status, headers: head.headers, body: body)
        } catch {
            pieces.finish(throwing: error)
            throw error
        }
    }

    #if canImport(FoundationNetworking)
        /// Opens the session's connection with `HEAD /healthz`. The answer doesn't matter.
        ///
        /// Foundation has a fault, except on Apple's platforms: a request that has to connect first is notified again and again
        /// that it can write, until its answer ends. So a stream would keep a processor busy. A request on an open connection
        /// doesn't have this fault.
        /// - Parameter limit: how long the server may take to answer.
        /// - Throws: a `URLError` when the time is over, or `CancellationError`. If `HEAD /healthz` fails for another reason,
        ///   the stream's own request says why.
        private static func openConnection(
            of session: URLSession, for request: ServiceRequest, within limit: Duration
        ) async throws {
            let address = request.url.absoluteString
            guard address.hasSuffix(request.path),
                let url = URL(string: address.dropLast(request.path.count) + "/healthz")
            else { return }
            var health = URLRequest(url: url)
            health.httpMethod = "HEAD"
            let isOpen = OneShot<Void>()
            let task = session.dataTask(with: health) { _, _, error in
                let error = error as? URLError
                isOpen.deliver(error?.code == .timedOut ? .failure(URLError(.timedOut)) : .success(()))
            }
            task.taskDescription = opening
            task.resume()
            try await isOpen.value(within: limit, otherwise: .failure(URLError(.timedOut)))
        }
    #endif

    /// The description of the task that opens a connection. A redirect of its request is not the answer.
    private static let opening = "opens a connection"

    /// The silence is watched here, because not every platform's session heeds its own limit.
    private func end(after silence: Duration) async {
        lastSign.withLock { $0 = .now }
        while !Task.isCancelled {
            let end = lastSign.withLock { $0 } + silence
            guard ContinuousClock.now < end else {
                head.deliver(.failure(URLError(.timedOut)))
                return pieces.finish(throwing: URLError(.timedOut))
            }
            // Cancelled when the stream is over.
            try? await Task.sleep(until: end, clock: .continuous)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself is the answer, which has no body of interest. Refused first: what follows ends the
        // session, and Foundation on Linux stops the program when a session that has ended hears of a redirect.
        completionHandler(nil)
        guard task.taskDescription != Self.opening else { return }
        head.deliver(.success(response))
        pieces.finish()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { head.deliver(.success(response)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        lastSign.withLock { $0 = .now }
        if case .dropped = pieces.yield(data) { pieces.finish(throwing: URLError(.dataLengthExceedsMaximum)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let end = error ?? URLError(.badServerResponse)
        head.deliver(.failure(end))
        pieces.finish(throwing: error)
    }
}
