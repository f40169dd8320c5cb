public import AppleIDTransport
public import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import TaskSignals

/// A transport over the network: AsyncHTTPClient with the limits that Apple's responses need.
///
/// It follows no redirect. A response has at most 256 KB. Connecting takes at most five seconds and a whole request at
/// most ten, unless you set another limit. Call ``shutdown()`` when done.
public struct AsyncHTTPTransport: AppleTransport {
    private let client: HTTPClient
    private let timeLimit: Duration
    private let isShared: Bool
    private let certificateCheck = CertificateCheck()

    /// The maximum size of a response's body. Responses have less than 10 KB in practice.
    static let maximumAnswerBytes = 262_144
    /// The maximum time limit, a year.
    static let maximumTimeLimit: Duration = .maximumSleep

    /// Creates a transport with connections of its own.
    /// - Parameter timeLimit: the time limit for a whole request, at most a year. The retries of `AppleID` assume ten
    ///   seconds.
    public init(timeLimit: Duration = .seconds(10)) {
        self.timeLimit = min(timeLimit, Self.maximumTimeLimit)
        isShared = false
        client = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup,
            configuration: Self.configuration(timeLimit: self.timeLimit))
    }

    /// The configuration of a transport's own client.
    static func configuration(timeLimit: Duration) -> HTTPClient.Configuration {
        // A server may be silent for as long as the whole request may take.
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: TimeAmount(timeLimit)))
        // A long-lived server talks to Apple now and then; a connection the other side has dropped costs a request.
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.retryConnectionEstablishment = false
        // The tracer would send the trace's identifier to Apple in every request. There is a span around each call
        // already.
        configuration.tracing.tracer = nil
        return configuration
    }

    /// Creates a transport that shares a client that your server has already.
    ///
    /// The limits of size and time are the same as with connections of its own. The client decides everything else, and
    /// may have a shorter time limit. Configure it with `redirectConfiguration: .disallow`: the transport refuses the
    /// response to a redirected request, but only after the redirected request was sent. Configure the client without a
    /// tracer, which would write the trace's identifier into every request.
    /// - Parameter timeLimit: the time limit for a whole request, at most a year. The retries of `AppleID` assume ten
    ///   seconds.
    public init(sharing client: HTTPClient, timeLimit: Duration = .seconds(10)) {
        self.client = client
        self.timeLimit = min(timeLimit, Self.maximumTimeLimit)
        isShared = true
    }

    /// Sends a request and returns its whole response.
    /// - Throws: `TransportFailure` when there is no whole response in time, when the response is too large, and when a
    ///   shared client was redirected; `CancellationError` when the calling task is cancelled.
    public func send(_ request: AppleRequest) async throws -> AppleResponse {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.head.method.rawValue)
        for field in request.head.headerFields {
            outgoing.headers.add(name: field.name.rawName, value: field.value)
        }
        if !request.body.isEmpty {
            outgoing.body = .bytes(ByteBuffer(bytes: request.body))
        }
        // AsyncHTTPClient's own deadline ends with the answer's head; a body that trickles must not outlive it either.
        return try await withThrowingTaskGroup(of: AppleResponse.self) { [outgoing] group in
            group.addTask {
                do {
                    return try await fetch(outgoing)
                } catch {
                    throw await failure(error, of: request)
                }
            }
            group.addTask {
                try await Task.sleep(for: timeLimit)
                throw TransportFailure(
                    host: request.host, cause: .answerTimedOut,
                    underlying: HTTPClientError.deadlineExceeded)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// The error that the caller gets for the HTTP client's error.
    private func failure(_ error: any Error, of request: AppleRequest) async -> any Error {
        if error is CancellationError || error as? HTTPClientError == .cancelled { return CancellationError() }
        var cause = TransportFailure.Cause(of: error)
        if cause == .certificateNotTrusted { cause = await certificateCheck.cause(of: request.host) }
        return TransportFailure(host: request.host, cause: cause, underlying: error)
    }

    private func fetch(_ request: HTTPClientRequest) async throws -> AppleResponse {
        let answer = try await client.execute(request, timeout: TimeAmount(timeLimit))
        // The history has the request itself, and one more for each redirect.
        guard answer.history.count <= 1 else { throw HTTPClientError.redirectLimitReached }
        let body = try await answer.body.collect(upTo: Self.maximumAnswerBytes)
        var head = HTTPResponse(status: HTTPResponse.Status(code: Int(answer.status.code)))
        for (name, value) in answer.headers {
            // A field whose name HTTP doesn't allow is left out.
            if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
        }
        return AppleResponse(head, body: Array(body.readableBytesView))
    }

    /// Closes the connections. Later requests fail. A shared client stays open: its owner closes it.
    public func shutdown() async throws {
        guard !isShared else { return }
        try await client.shutdown()
    }
}
