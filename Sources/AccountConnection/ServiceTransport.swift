public import Foundation

/// Carries calls to the account service. An app brings its own for a proxy, a pinned certificate or a test.
public struct ServiceTransport: Sendable {
    /// Sends one request, and returns the answer with any status. Throws only if no answer came.
    ///
    /// It follows no redirects, since the request holds secrets, and ends soon after its task is cancelled.
    public var send: @Sendable (ServiceRequest) async throws -> ServiceAnswer
    /// Sends one request, and returns once the head of the answer is there, with any status. The body arrives in pieces. It
    /// is nil for a transport without streams, which can't follow the events of an account.
    public var stream: (@Sendable (ServiceRequest) async throws -> ServiceStream)?

    /// Makes a transport of closures.
    /// - Parameters:
    ///   - send: sends a request and returns the whole answer.
    ///   - stream: sends a request and returns the answer while it comes in; nil for a transport without streams.
    public init(
        send: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer,
        stream: (@Sendable (ServiceRequest) async throws -> ServiceStream)? = nil
    ) {
        self.send = send
        self.stream = stream
    }
}

/// A call of the account service.
public struct ServiceRequest: Sendable {
    /// The HTTP method: `GET`, `POST` …
    public var method: String
    /// The path below the backend's URL; begins with a slash: `/v1/authorizations`.
    public var path: String
    /// The whole URL: backend and path together.
    public var url: URL
    /// The request's header fields.
    public var headers: [String: String]
    /// The body, JSON; nil when the call has none.
    public var body: Data?
    /// The largest answer in bytes; a transport gives up on a larger one.
    public var maximumAnswerBytes = 256 * 1024
    /// The maximum time without a byte from the account service, after which a transport gives up. It is longer for a call
    /// that may wait for Apple or another provider: such a call can't be repeated if its answer is lost.
    public var silenceLimit: Duration = .seconds(10)

    /// Makes a request out of its parts, for a test of a transport.
    public init(method: String, path: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.path = path
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension ServiceRequest: CustomStringConvertible {
    /// Method and path: headers and body hold secrets.
    public var description: String { "\(method) \(path)" }
}

/// The answer to a call of the account service, whatever its status.
public struct ServiceAnswer: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The answer's header fields, with names as they came; compare those without regard to case.
    public var headers: [String: String]
    /// The answer's body, in whole.
    public var body: Data

    /// Makes an answer out of what a transport has received.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension ServiceAnswer: CustomStringConvertible {
    /// The status and the size: the body may hold secrets.
    public var description: String { "\(status), \(body.count) bytes" }
}

/// The beginning of an answer whose body is still coming in.
public struct ServiceStream: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The answer's header fields, with names as they came; compare those without regard to case.
    public var headers: [String: String]
    /// The answer's body. It ends with the answer, and throws when it breaks off. Releasing it ends the request.
    public var body: AsyncThrowingStream<Data, any Error>

    /// Makes an answer whose body a transport still receives.
    public init(status: Int, headers: [String: String] = [:], body: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Collects the answer, for a refusal. If the body breaks off or is too long, the answer has the part that came so
    /// far.
    func answer(upTo limit: Int) async -> ServiceAnswer {
        var answer = ServiceAnswer(status: status, headers: headers)
        do {
            for try await piece in body {
                guard answer.body.count + piece.count <= limit else { break }
                answer.body.append(piece)
            }
        } catch {
            // The status alone decides about the refusal.
        }
        return answer
    }
}

extension ServiceStream: CustomStringConvertible {
    /// The status alone: the body may hold secrets.
    public var description: String { "\(status), a stream" }
}
