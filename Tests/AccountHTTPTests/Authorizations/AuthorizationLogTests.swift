import AccountAPI
import HTTPTypes
import HummingbirdTesting
import InMemoryLogging
import Logging
import Testing

@Suite("Logs of an authorization")
struct AuthorizationLogTests {
    @Test("contain no id, code, handle, verifier or name, at any level")
    func nothingPersonal() async throws {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        let logger = Logger(label: "test") { [handler] _ in handler }
        try await withService(logger: logger) { [handler] client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            _ = try await client.page(app.path(of: authorization))
            let query = try await app.comeBack(authorization)
            let handle = try #require(query["handle"])
            let credential: AuthorizationCredentialBody = try await app.redeem(handle: handle).decode()
            _ = try await app.redeem(handle: handle)
            let device = try await app.beginOnDevice()
            let form = "code=\(device.userCode)"
            _ = try await app.click("/device", form: form)
            let (path, cookie) = try await app.finish(try await app.click("/device/allow", form: form))
            _ = try await client.page(path, cookies: [cookie])
            _ = try await app.redeem(deviceCode: device.deviceCode)
            _ = try await app.click("/device/deny", form: form)

            #expect(handler.entries.contains { $0.metadata["route"]?.description == "/authorizations/{id}/done" })
            let lines = handler.entries.map { "\($0)" }
            let secrets = [
                authorization.id, handle, credential.identityToken, try #require(credential.authorizationCode),
                try #require(credential.email), credential.user, "Johnny", device.deviceCode, device.userCode,
                device.userCode.replacing("-", with: ""), app.verifier, app.challenge, String(cookie.dropFirst(20)),
                "of-the-app",
            ]
            for secret in secrets {
                #expect(!lines.contains { $0.contains(secret) }, "\(secret)")
            }
        }
    }

    @Test(
        "contain an error's code, but not its description, if another provider's answer proves nothing")
    func failure() async throws {
        var handler = InMemoryLogHandler()
        handler.logLevel = .info
        let logger = Logger(label: "test") { [handler] _ in handler }
        try await withService(providers: ["example"], logger: logger) { [handler] client, service in
            let app = TestAuthorization(client: client, service: service)
            var request = app.request()
            (request.provider, request.nonce) = ("example", service.hash("nonce"))
            let begun: RedirectAuthorizationAnswer = try await client.post("/v1/authorizations", json: request).decode()
            let clicked = try await app.click(app.path(of: begun))
            let location = String(try #require(clicked.header("Refresh")).dropFirst("0; url=".count))
            let fields = service.providers[0].authorize(at: location).map { field in
                "\(field.name)=\((field.name == "code" ? "unknown" : field.value).addingPercentEncoding())"
            }
            let cookie = try #require(clicked.cookie("__Host-siwa-browser"))
            let end = try await client.post(
                "/sign-in/example/callback", form: fields.joined(separator: "&"), cookies: [cookie],
                site: "cross-site")
            #expect(end.status == .seeOther)
            let line = try #require(handler.entries.first { "\($0.message)" == "An authorization failed." })
            #expect(line.metadata["error"]?.description == "grant_rejected")
            #expect(line.metadata["provider"]?.description == "example")
        }
    }
}
