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
        let watch = Task { await streaming.end(after: silence) }
        // The session holds its delegate until then.
        pieces.onTermination = { _ in
            watch.cancel()
            session.invalidateAndCancel()
        }
        do {
            #if canImport(FoundationNetworking)
                try await connect(session, for: request)
            #endif
            session.dataTask(with: URLRequest(request, silence: silence)).resume()
            let head = Received().answer(to: try await streaming.head.value())
            return ServiceStream(status: head.status, headers: head.headers, body: body)
        } catch {
            pieces.finish(throwing: error)
            throw error
        }
    }

    #if canImport(FoundationNetworking)
        /// The longest wait for the response that ``connect(_:for:)`` asks for.
        private static let connecting = Duration.seconds(5)

        /// Makes the session's connection by a request whose response doesn't matter.
        ///
        /// Foundation on Linux has a fault: a request that has to connect first is notified again and again that it can
        /// write, until its response ends. So a stream would keep a processor busy. A request on an open connection doesn't
        /// have this fault.
        /// - Throws: `CancellationError` only. If this request fails, the stream's own request says why.
        private static func connect(_ session: URLSession, for request: ServiceRequest) async throws {
            let address = request.url.absoluteString
            guard address.hasSuffix(request.path),
                let health = URL(string: address.dropLast(request.path.count) + "/healthz")
            else { return }
            let isConnected = OneShot<Void>()
            let task = session.dataTask(with: health) { _, _, _ in isConnected.deliver(.success(())) }
            task.resume()
            try await isConnected.value(within: connecting, otherwise: .success(()))
            task.cancel()
        }
    #endif

    /// The silence is watched here, because not every platform's session heeds its own limit.
    private func end(after silence: Duration) async {
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
