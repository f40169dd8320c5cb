import AccountAPI
import Foundation
import TaskSignals
import Testing

@testable import AccountConnection

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Calls of the account service", .timeLimit(.minutes(2)))
struct ServiceConnectionTests {
    private func connection(
        _ backend: String = "https://accounts.example",
        _ answer: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer
    ) throws -> ServiceConnection {
        ServiceConnection(backend: try #require(URL(string: backend)), transport: ServiceTransport(send: answer))
    }

    @Test(
        "A call goes to a path below the backend, as JSON, with the access token",
        arguments: [
            ("https://accounts.example", "https://accounts.example/v1/sessions/refresh"),
            ("https://accounts.example/", "https://accounts.example/v1/sessions/refresh"),
            ("https://example/accounts/", "https://example/accounts/v1/sessions/refresh"),
        ])
    func request(backend: String, url: String) async throws {
        let seen = Lock<ServiceRequest?>(nil)
        let connection = try connection(backend) { request in
            seen.withLock { $0 = request }
            return ServiceAnswer(
                status: 200, body: try JSONEncoder().encode(RefreshRequest(refreshToken: "new")))
        }
        let answer: RefreshRequest = try await connection.send(
            "POST", "/v1/sessions/refresh", body: RefreshRequest(refreshToken: "old"), accessToken: "at")
        #expect(answer.refreshToken == "new")
        let request = try #require(seen.withLock { $0 })
        #expect(request.url.absoluteString == url)
        #expect(request.path == "/v1/sessions/refresh")
        #expect(request.method == "POST")
        #expect(
            request.headers == [
                "Accept": "application/json", "Content-Type": "application/json", "Authorization": "Bearer at",
            ])
        #expect(String(decoding: request.body ?? Data(), as: UTF8.self) == #"{"refreshToken":"old"}"#)
        #expect("\(request)" == "POST /v1/sessions/refresh")
    }

    @Test("A refusal keeps its status, word, sentence and wait")
    func refusal() async throws {
        let body = #"{"error":{"code":"rate_limited","message":"m","requestID":"r","details":{"retryAfter":7}}}"#
        let connection = try connection { _ in ServiceAnswer(status: 429, body: Data(body.utf8)) }
        let error = await #expect(throws: ServiceError.self) { try await connection.send("POST", "/v1/x") }
        guard case .answered(429, .rateLimited, "m", RefusalDetails(retryAfter: .seconds(7))) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "A refusal keeps the details of its code, and leaves out those that it does not understand",
        arguments: [
            (#"{"field":"phone"}"#, RefusalDetails(field: "phone")),
            (#"{"field":null}"#, .none), (#"{"field":7,"retryAfter":"soon"}"#, .none), ("[]", .none),
            (
                #"{"purposes":["phone","newer"],"textVersion":"2"}"#,
                RefusalDetails(
                    consent: RequiredConsent(purposes: [.phone, .init(rawValue: "newer")], textVersion: "2"))
            ),
            (#"{"purposes":["phone"]}"#, .none),
        ])
    func details(text: String, details: RefusalDetails) async throws {
        let body = #"{"error":{"code":"of_this_test","message":"m","requestID":"r","details":\#(text)}}"#
        let connection = try connection { _ in ServiceAnswer(status: 400, body: Data(body.utf8)) }
        let error = await #expect(throws: ServiceError.self) { try await connection.send("PATCH", "/v1/x") }
        #expect(error?.details == details)
    }

    @Test(
        "A text is asked for in the person's languages, the best first, and in a region's language too",
        arguments: [
            (["de-DE"], "de-DE, de;q=0.9"), (["de-DE", "de-AT", "en"], "de-DE, de;q=0.9, de-AT;q=0.8, en;q=0.7"),
            (["zh-Hant-TW"], "zh-Hant-TW, zh-Hant;q=0.9, zh;q=0.8"), (["fr\r\nX: y", "", "it"], "it"),
        ] as [([String], String)])
    func languages(languages: [String], header: String) async throws {
        let seen = Lock<ServiceRequest?>(nil)
        let connection = try connection { request in
            seen.withLock { $0 = request }
            return ServiceAnswer(status: 200, body: Data("{}".utf8))
        }
        _ = try await connection.send("GET", "/v1/x", languages: languages, as: [String: String].self)
        #expect(seen.withLock { $0?.headers["Accept-Language"] } == header)
    }

    @Test(
        "A wait is between nothing and an hour, whatever the answer says",
        arguments: [
            ("0", Duration.zero), ("-5", .zero), ("\(Int.min)", .zero), ("3600", .seconds(3600)),
            ("3601", .seconds(3600)),
            ("\(Int.max)", .seconds(3600)),
        ])
    func clampedWait(text: String, wait: Duration) async throws {
        let body = #"{"error":{"code":"unavailable","message":"","details":{"retryAfter":\#(text)}}}"#
        for answer in [
            ServiceAnswer(status: 503, body: Data(body.utf8)),
            ServiceAnswer(status: 503, headers: ["Retry-After": text]),
        ] {
            let connection = try connection { _ in answer }
            let error = await #expect(throws: ServiceError.self) { try await connection.send("POST", "/v1/x") }
            guard case .answered(503, .unavailable, _, let details) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(details.retryAfter == wait)
        }
    }

    @Test("A request that can't be made isn't sent, and no repeat would help")
    func unsendable() async throws {
        let connection = try connection { _ in
            Issue.record("a request was sent")
            return ServiceAnswer(status: 204)
        }
        let ofURL = await #expect(throws: ServiceError.self) { try await connection.send("GET", ":port/v1/x") }
        let ofBody = await #expect(throws: ServiceError.self) {
            try await connection.send("POST", "/v1/x", body: Double.infinity)
        }
        for found in [ofURL, ofBody] {
            let error = try #require(found)
            guard case .unsendable = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(!error.isTransient && error.neverArrived && !error.mayHaveLostAnswer)
        }
    }

    @Test(
        "Only a failure after which the service may have the request leaves a repeat uncertain",
        arguments: [
            (ServiceError.unreachable(URLError(.networkConnectionLost)), true),
            (.unreachable(URLError(.timedOut)), true), (.unreachable(CancellationError()), true),
            (.unreachable(URLError(.cannotConnectToHost)), false), (.unreachable(URLError(.badURL)), false),
            (.unreadable(status: 200), false), (.cancelled, false),
            (.answered(status: 503, code: .unavailable, message: "", details: .none), false),
        ] as [(ServiceError, Bool)])
    func lostAnswer(error: ServiceError, isUncertain: Bool) {
        #expect(error.mayHaveLostAnswer == isUncertain)
    }

    @Test(
        "A proxy's answer leaves a repeat uncertain, and the service's own refusal doesn't",
        arguments: [502, 503, 504])
    func proxy(status: Int) async throws {
        let refusal = #"{"error":{"code":"unavailable","message":"","requestID":"r"}}"#
        for (body, isUncertain) in [("<html>", true), (refusal, false)] {
            let connection = try connection { _ in ServiceAnswer(status: status, body: Data(body.utf8)) }
            let error = await #expect(throws: ServiceError.self) { try await connection.send("POST", "/v1/x") }
            #expect(error?.code == .unavailable && error?.isTransient == true)
            #expect(error?.mayHaveLostAnswer == isUncertain)
        }
    }

    @Test("A cancelled call is cancelled, not unreachable")
    func cancelled() async throws {
        let connection = try connection { _ in try await OneShot<ServiceAnswer>().value() }
        let task = Task<Void, any Error> { try await connection.send("GET", "/v1/x") }
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        guard case .cancelled = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
