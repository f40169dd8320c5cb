import Foundation
import TaskSignals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServiceTransport {
    /// The transport of Foundation's client. It keeps nothing between calls: no cookies, no cache, no stored passwords.
    ///
    /// A call ends with a `URLError` after the request's ``ServiceRequest/silenceLimit`` without a sign of the other side, and
    /// twenty seconds later in any case; a stream after fifty seconds without a byte.
    ///
    /// On Linux and Windows, Foundation has a fault: a call keeps a processor busy while it waits for its answer. A stream
    /// doesn't, because it first opens its connection with `HEAD /healthz`. A transport of another HTTP client doesn't have
    /// this fault.
    public static var urlSession: Self { urlSession() }

    package static func urlSession(
        silence: Duration? = nil, whole: Duration? = nil, maximumAnswerBytes: Int? = nil,
        quietStream: Duration = .seconds(50)
    ) -> Self {
        Self { request in
            let silence = silence ?? request.silenceLimit
            let exchange = URLSessionExchange(maximumAnswerBytes: maximumAnswerBytes ?? request.maximumAnswerBytes)
            return try await exchange.run(request, silence: silence, whole: whole ?? silence + .seconds(20))
        } stream: { request in
            try await URLSessionStreaming.open(request, silence: quietStream)
        }
    }
}

extension URLSessionConfiguration {
    /// Keeps nothing between two requests.
    static func forgetful(silence: Duration) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = silence.seconds
        return configuration
    }
}

extension URLRequest {
    init(_ request: ServiceRequest, silence: Duration) {
        self.init(url: request.url)
        httpMethod = request.method
        httpBody = request.body
        timeoutInterval = silence.seconds
        for (name, value) in request.headers {
            setValue(value, forHTTPHeaderField: name)
        }
    }
}

/// One request on a session of its own, so that requests share nothing and the session ends with it.
private final class URLSessionExchange: NSObject, URLSessionDataDelegate {
    private let maximumAnswerBytes: Int
    private let answer = OneShot<ServiceAnswer>()
    private let received = Received()

    init(maximumAnswerBytes: Int) {
        self.maximumAnswerBytes = maximumAnswerBytes
    }

    func run(_ request: ServiceRequest, silence: Duration, whole: Duration) async throws -> ServiceAnswer {
        let configuration = URLSessionConfiguration.forgetful(silence: silence)
        configuration.timeoutIntervalForResource = whole.seconds
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        // Ends the request if it is still under way, and releases the delegate.
        defer { session.invalidateAndCancel() }
        session.dataTask(with: URLRequest(request, silence: silence)).resume()

        // The whole time is watched here, because not every platform's session heeds its own limit.
        return try await answer.value(within: whole, otherwise: .failure(URLError(.timedOut)))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself is the answer. Refused first: the answer ends the session, and Foundation on Linux stops
        // the program when a session that has ended hears of a redirect. Delivered here, because some platforms'
        // sessions never end after a nil.
        completionHandler(nil)
        answer.deliver(.success(received.answer(to: response)))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard received.append(data, limit: maximumAnswerBytes) else {
            answer.deliver(.failure(URLError(.dataLengthExceedsMaximum)))
            return dataTask.cancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            answer.deliver(.failure(error))
        } else if let response = task.response as? HTTPURLResponse {
            answer.deliver(.success(received.answer(to: response)))
        } else {
            answer.deliver(.failure(URLError(.badServerResponse)))
        }
    }
}

/// The body of an answer while it comes in.
final class Received: Sendable {
    private let body = Lock(Data())

    /// - Returns: false when it would be more than allowed.
    func append(_ data: Data, limit: Int) -> Bool {
        body.withLock { body in
            guard body.count + data.count <= limit else { return false }
            body.append(data)
            return true
        }
    }

    func answer(to response: HTTPURLResponse) -> ServiceAnswer {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        return ServiceAnswer(status: response.statusCode, headers: headers, body: body.withLock { $0 })
    }
}

extension Duration {
    package var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
