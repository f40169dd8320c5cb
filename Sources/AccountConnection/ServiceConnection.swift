import AccountAPI
package import Foundation

/// The account service at one URL. It encodes requests, decodes responses, and throws a ``ServiceError`` for each failure.
package struct ServiceConnection: Sendable {
    package let backend: URL
    private let transport: ServiceTransport

    package init(backend: URL, transport: ServiceTransport) {
        self.backend = backend
        self.transport = transport
    }

    /// Makes a call, and decodes the body of the response.
    /// - Parameters:
    ///   - path: below the backend; begins with a slash.
    ///   - body: nil for a call without one.
    ///   - languages: the person's languages as BCP 47 tags, the best first; empty where the call makes no text and no
    ///     mail.
    ///   - silenceLimit: the maximum time without a byte from the service.
    /// - Returns: the decoded body of an answer with a status of 2xx.
    package func send<Answer: Decodable & Sendable>(
        _ method: String, _ path: String, body: (any Encodable & Sendable)? = nil, accessToken: String? = nil,
        languages: [String] = [], silenceLimit: Duration = .seconds(10), as type: Answer.Type = Answer.self
    ) async throws(ServiceError) -> Answer {
        var request = try request(method, path, body: body, accessToken: accessToken)
        request.silenceLimit = silenceLimit
        request.headers["Accept-Language"] = AcceptLanguage.header(languages)
        let answer = try await exchange(request)
        do {
            return try JSONDecoder().decode(Answer.self, from: answer.body)
        } catch {
            throw .unreadable(status: answer.status)
        }
    }

    /// Makes a call whose response has no body to read, such as 204.
    package func send(
        _ method: String, _ path: String, body: (any Encodable & Sendable)? = nil, accessToken: String? = nil
    ) async throws(ServiceError) {
        _ = try await exchange(request(method, path, body: body, accessToken: accessToken))
    }

    /// Makes a call and returns the body of the response unchanged.
    /// - Parameter maximumAnswerBytes: the maximum size of the body.
    package func data(_ path: String, accessToken: String, maximumAnswerBytes: Int) async throws(ServiceError) -> Data {
        var request = try request("GET", path, accessToken: accessToken)
        request.maximumAnswerBytes = maximumAnswerBytes
        return try await exchange(request).body
    }

    /// Opens a stream of server-sent events.
    /// - Parameter lastEventID: the event after which the stream begins; nil begins with later events.
    /// - Returns: the body of the response, piece by piece; nil if the transport has no streams.
    package func events(
        _ path: String, accessToken: String, lastEventID: String?
    ) async throws(ServiceError) -> AsyncThrowingStream<Data, any Error>? {
        guard let open = transport.stream else { return nil }
        var request = try request("GET", path, accessToken: accessToken)
        request.headers["Accept"] = "text/event-stream"
        request.headers["Last-Event-ID"] = lastEventID
        let stream: ServiceStream
        do {
            stream = try await open(request)
        } catch {
            throw Task.isCancelled || error is CancellationError ? .cancelled : .unreachable(error)
        }
        guard stream.status == 200 else {
            throw Self.refusal(in: await stream.answer(upTo: request.maximumAnswerBytes))
        }
        let type = stream.headers.first { $0.key.lowercased() == "content-type" }?.value.lowercased()
        guard type?.hasPrefix("text/event-stream") == true else { throw .unreadable(status: stream.status) }
        return stream.body
    }

    private func request(
        _ method: String, _ path: String, body: (any Encodable & Sendable)? = nil, accessToken: String?
    ) throws(ServiceError) -> ServiceRequest {
        guard let url = url(of: path) else { throw .unsendable(URLError(.badURL)) }
        var request = ServiceRequest(method: method, path: path, url: url, headers: ["Accept": "application/json"])
        if let body {
            do {
                request.body = try JSONEncoder().encode(body)
            } catch {
                throw .unsendable(error)
            }
            request.headers["Content-Type"] = "application/json"
        }
        if let accessToken {
            request.headers["Authorization"] = "Bearer \(accessToken)"
        }
        return request
    }

    private func exchange(_ request: ServiceRequest) async throws(ServiceError) -> ServiceAnswer {
        let answer: ServiceAnswer
        do {
            answer = try await transport.send(request)
        } catch {
            throw Task.isCancelled || error is CancellationError ? .cancelled : .unreachable(error)
        }
        guard (200..<300).contains(answer.status) else { throw Self.refusal(in: answer) }
        return answer
    }

    private func url(of path: String) -> URL? {
        var base = backend.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        return URL(string: base + path)
    }

    private static func refusal(in answer: ServiceAnswer) -> ServiceError {
        guard let body = try? JSONDecoder().decode(Refusal.self, from: answer.body).error else {
            // A proxy answers in place of a service that is down.
            guard answer.status >= 500 else { return .unreadable(status: answer.status) }
            return .answered(
                status: answer.status, code: .unavailable, message: "no error of the account service's",
                details: RefusalDetails(retryAfter: retryAfter(answer), isOfProxy: true))
        }
        return .answered(
            status: answer.status, code: body.code, message: body.message,
            details: RefusalDetails(
                retryAfter: body.details?.retryAfter.map(pause) ?? retryAfter(answer), field: body.details?.field,
                consent: body.details?.consent, password: body.details?.password,
                conflict: body.details?.conflict, merged: body.details?.merged))
    }

    private static func retryAfter(_ answer: ServiceAnswer) -> Duration? {
        let header = answer.headers.first { $0.key.lowercased() == "retry-after" }
        return header.flatMap { Int($0.value) }.map(pause)
    }

    /// Returns the pause that an answer asks for, at most an hour: a sleep of some thousand years ends the program.
    private static func pause(seconds: Int) -> Duration {
        .seconds(min(max(seconds, 0), 3600))
    }
}

/// The parts of an error's body that a client uses. Other parts may be missing, or newer than this code.
private struct Refusal: Decodable {
    var error: Body

    struct Body: Decodable {
        var code: ErrorCode
        var message: String
        var details: Details?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            code = try container.decode(ErrorCode.self, forKey: .code)
            message = try container.decodeIfPresent(String.self, forKey: .message) ?? ""
            details = try? container.decodeIfPresent(Details.self, forKey: .details)
        }

        private enum CodingKeys: String, CodingKey {
            case code, message, details
        }
    }

    /// Each part is nil if the details have none, or another one than this code knows.
    struct Details: Decodable {
        var retryAfter: Int?
        var field: String?
        var consent: RequiredConsent?
        var password: PasswordRefusal?
        var conflict: CredentialConflictBody?
        var merged: MergedAccountBody?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            retryAfter = try? container.decodeIfPresent(Int.self, forKey: .retryAfter)
            field = try? container.decodeIfPresent(String.self, forKey: .field)
            consent = try? RequiredConsent(from: decoder)
            password = try? PasswordRefusal(from: decoder)
            conflict = try? CredentialConflictBody(from: decoder)
            merged = try? MergedAccountBody(from: decoder)
        }

        private enum CodingKeys: String, CodingKey {
            case retryAfter, field
        }
    }
}

extension Duration {
    /// The ``ServiceRequest/silenceLimit`` of calls that may wait for Apple or another provider. The service waits ten seconds
    /// for each request to Apple, and makes three at most: for the keys, for the code, and for keys that are newer.
    package static let whileAppleIsAsked: Duration = .seconds(35)
}

extension String {
    /// This text as a value in a query, or a part of a path.
    package var inQuery: String {
        addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }

    /// RFC 3986 §2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
