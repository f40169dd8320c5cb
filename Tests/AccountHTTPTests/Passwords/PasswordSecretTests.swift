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
            let others = try await inSession(client, service)
            #expect(handler.entries.count > 15)
            let addresses = [TestService.ann, "bob@example.com"]
            let passwords = [TestPassword.good, TestPassword.wrong, TestPassword.other]
            for entry in handler.entries {
                for text in [secret] + others + addresses + passwords { #expect(!"\(entry)".contains(text)) }
            }
            #expect(handler.entries.contains { $0.metadata["route"]?.description == "/email-links/{token}" })
        }
    }

    /// A reset, the forms of a session and the upgrade, right and wrong.
    /// - Returns: The secrets of the links.
    private func inSession(_ client: TestClient, _ service: TestService) async throws -> [String] {
        _ = try await client.form("/forgotten", ["email": TestService.ann])
        let reset = try await service.secret(.passwordReset)
        let asked = try await client.form("/email-links/\(reset)", ["newPassword": TestPassword.other])
        try #require(asked.status == .seeOther, "\(asked.text)")
        let signedIn = try await service.signInOnPage(client, password: TestPassword.other)
        var cookie = try #require(signedIn.cookie("__Host-siwa-session"))
        for password in [TestPassword.wrong, TestPassword.other] {
            let proof = try await client.form("/reauthenticate/password", ["password": password], cookies: [cookie])
            cookie = proof.cookie("__Host-siwa-session") ?? cookie
            _ = try await client.form(
                "/account/password", ["password": password, "newPassword": TestPassword.good], cookies: [cookie])
        }
        let away = try await client.form("/account/upgrade", [:], cookies: [cookie])
        try #require(try await service.comeBack(client, away).headers[.location] == "/account?upgraded")
        let app = try await service.signUpByApp(client, email: "bob@example.com")
        try #require(app.isNewAccount)
        return [reset, try await service.secret(.signUp)]
    }
}
