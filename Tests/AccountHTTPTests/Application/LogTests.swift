import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import NIOCore
import Testing

@testable import AccountHTTP

@Suite("Logs")
struct LogTests {
    private func recorder() -> (InMemoryLogHandler, Logger) {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        return (handler, Logger(label: "test") { [handler] _ in handler })
    }

    @Test("A line a request, with its route and not its path; at info only what was refused or failed")
    func accessLine() async throws {
        let (handler, logger) = recorder()
        try await withService(logger: logger) { client, service in
            let answer = try await client.send(.get, "/?secret=1")
            _ = try await client.send(.get, "/v1/secret/eyJ")
            _ = try await client.send(.get, "/healthz")
            try await service.closeStore()
            _ = try await client.send(.get, "/readyz")
            let lines = handler.entries.filter { $0.message == "Request answered" }
            #expect(lines.map { $0.metadata["route"]?.description } == ["/", "none", "/healthz", "/readyz"])
            #expect(lines.map { $0.metadata["status"]?.description } == ["200", "404", "200", "503"])
            #expect(lines.map(\.level) == [.debug, .info, .debug, .info])
            #expect(lines.map { $0.metadata["code"]?.description } == [nil, "not_found", nil, nil])
            #expect(lines[0].metadata["hb.request.id"]?.description == answer.header("X-Request-ID"))
            #expect(!handler.entries.contains { "\($0)".contains("secret") })
        }
    }

    @Test("No value that a person or an app sends is in a log, at any level")
    func nothingPersonal() async throws {
        let (handler, logger) = recorder()
        try await withService(logger: logger) { client, service in
            let (cookie, form) = try await service.answerOfApple(client)
            let finished = try await client.post("/sign-in/apple/callback", form: form, cookies: [cookie])
            let session = try #require(finished.cookie("__Host-siwa-session"))
            _ = try await client.page("/account", cookies: [session])
            _ = try await client.post("/sign-in/apple/callback", form: form, cookies: [cookie])
            let credential = try await service.nativeCredential(fullName: FullName(givenName: "Johnny"))
            let answer = try await client.post("/v1/sign-in/apple", json: credential).decode(SignInAnswer.self)
            _ = try await client.post("/v1/sign-in/apple", json: credential)
            _ = try await client.post("/v1/account", json: credential, token: answer.session.accessToken)
            service.apple.outage = .tokens
            _ = try await client.post("/v1/sign-in/apple", json: try await service.nativeCredential())

            let secrets = [
                try #require(credential.identityToken), try #require(credential.authorizationCode),
                try #require(credential.nonce), "johnny@",
                "Johnny", answer.session.accessToken, answer.session.refreshToken, String(session.dropFirst(20)),
                String(cookie.dropFirst(20)),
            ]
            let values = form.split(separator: "&").map { String($0.drop { $0 != "=" }.dropFirst()) }
                .filter { $0.count > 8 }
            for entry in handler.entries {
                for secret in secrets + values {
                    #expect(!"\(entry)".contains(secret))
                }
            }
            #expect(handler.entries.count > 10)
        }
    }

    @Test("An unexpected error is logged with the request's id, and its answer says nothing about it")
    func internalError() async throws {
        struct Surprise: Error {}
        let (handler, logger) = recorder()
        let router = Router(context: ServiceContext.self)
        router.add(middleware: ResponseHeadersMiddleware(publicURL: try PublicURL(TestService.publicURL)))
        router.add(
            middleware: ErrorMiddleware(
                pages: try PageRenderer(configuration: .juice(), publicURL: PublicURL(TestService.publicURL))))
        router.get("surprise") { _, _ -> Response in throw Surprise() }
        try await Application(router: router, logger: logger).test(.router) { base in
            let client = TestClient(base: base)
            let answer = try await client.send(.get, "/surprise")
            let error = try answer.expectError(.internal, 500)
            #expect(error.message == "Something went wrong in this service.")
            let page = try await client.page("/surprise")
            page.expectErrorPage(500, "This is our fault")
            for answer in [answer, page] {
                #expect(!answer.text.contains("Surprise"))
                let id = answer.header("X-Request-ID")
                let line = handler.entries.first { $0.metadata["hb.request.id"]?.description == id }
                #expect(line?.level == .error)
                #expect(line?.metadata["error"]?.description == "Surprise()")
            }
        }
    }

    @Test("Failures for the operator are warnings, a client's mistakes are not, and each request has one line")
    func levels() async throws {
        let (handler, logger) = recorder()
        try await withService(logger: logger) { client, service in
            _ = try await client.post("/v1/challenges", json: "{")
            service.apple.outage = .all
            _ = try await client.post("/v1/sign-in/apple", json: try await service.nativeCredential())
            let lines = handler.entries.filter { $0.metadata["hb.request.id"] != nil }
            #expect(lines.map(\.level) == [.info, .warning])
            #expect(lines.map(\.message) == ["Request answered", "Request failed"])
            #expect(lines.map { $0.metadata["status"]?.description } == ["400", "503"])
            let codes = lines.map { $0.metadata["code"]?.description }
            #expect(codes == ["malformed_json", "keys_unavailable"])
        }
    }

    @Test("A missing configuration is logged as an error for the operator")
    func configuration() async throws {
        let (handler, logger) = recorder()
        try await withService(webClient: nil, logger: logger) { _, service in
            await #expect(throws: AccountError(.configuration, "")) {
                _ = try await service.domain.signIn.begin(browser: nil)
            }
        }
        let router = Router(context: ServiceContext.self)
        router.add(
            middleware: ErrorMiddleware(
                pages: try PageRenderer(configuration: .juice(), publicURL: PublicURL(TestService.publicURL))))
        router.get("unset") { _, _ -> Response in throw AccountError(.configuration, "nothing is configured") }
        try await Application(router: router, logger: logger).test(.router) { base in
            let answer = try await TestClient(base: base).send(.get, "/unset")
            #expect(answer.status == .serviceUnavailable)
        }
        let line = handler.entries.first { "\($0.message)" == "Request failed" }
        #expect(line?.level == .error && line?.metadata["code"]?.description == "configuration")
    }
}
