import AccountAPI
import AccountHTTP
import AccountService
import HTTPTypes
import HummingbirdTesting
import InMemoryLogging
import Logging
import Testing

@Suite("Secrets of passwords and links")
struct PasswordSecretTests {
    @Test("No password, address or secret of a link is in a log, in a Referer, or in an address but its own")
    func secrets() async throws {
        var recorder = InMemoryLogHandler()
        recorder.logLevel = .trace
        let handler = recorder
        let logger = Logger(label: "test") { _ in handler }
        try await withPasswords(logger: logger) { client, service in
            let name = try #require(HTTPField.Name("Referrer-Policy"))
            _ = try await client.form("/sign-up", ["email": TestService.ann, "newPassword": TestPassword.good])
            let link = try await service.link(.signUp)
            let secret = String(link.dropFirst("/email-links/".count))
            let answers = [
                try await client.page(link), try await client.form(link, ["password": TestPassword.wrong]),
                try await client.form(link, ["password": TestPassword.good]), try await client.page(link),
            ]
            for answer in answers {
                #expect(answer.headers[values: name] == ["strict-origin"])
                #expect(answer.headers[.cacheControl] == "no-store")
                #expect(answer.headers[.location]?.contains(secret) != true)
            }
            _ = try await service.signInOnPage(client)
            _ = try await service.signInOnPage(client, password: TestPassword.wrong)
            let body = try service.json(["email": TestService.ann, "password": TestPassword.wrong])
            _ = try await client.post("/v1/sign-in/password", json: body)
            _ = try await client.post("/v1/email-links", json: try service.json(["link": secret]))
            #expect(handler.entries.count > 5)
            for entry in handler.entries {
                for text in [secret, TestService.ann, TestPassword.good, TestPassword.wrong] {
                    #expect(!"\(entry)".contains(text))
                }
            }
            #expect(handler.entries.contains { $0.metadata["route"]?.description == "/email-links/{token}" })
        }
    }
}
