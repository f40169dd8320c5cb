import AccountAPI
import HummingbirdTesting
import InMemoryLogging
import Logging
import Testing

@Suite("Logs of an authorization")
struct AuthorizationLogTests {
    @Test("No id, code, handle, verifier or name is in them, at any level")
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
}
