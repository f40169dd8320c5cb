import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("Revoking at Apple", .timeLimit(.minutes(2)))
struct RevocationTests {
    private let device = TestDevice()

    @Test("A fresh code is proof enough")
    func byCode() async throws {
        let client = try await device.signedInClient()
        #expect(try await client.revokeToken(withAuthorizationCode: "apple-code", nonce: "raw") == nil)
        let call = try #require(device.service.requests("POST /v1/apple/revoke").first)
        #expect(call.json["authorizationCode"] as? String == "apple-code")
        #expect(call.json["nonce"] as? String == "raw")
        #expect(await client.account != nil)
    }

    @Test("Without a code, the person signs in at Apple if the service requires it, and the revocation succeeds")
    func asks() async throws {
        let client = try await device.signedInClient()
        device.service.on("POST /v1/apple/revoke", .refusal(403, .requiresRecentLogin), .usual)
        let script = AuthorizationScript(TestDevice.appleAnswer())
        try await withAuthorizationScript(script) { _ = try await client.revokeToken() }
        #expect(script.requests.count == 1)
        let tokens = device.service.requests("POST /v1/apple/revoke").map { $0.headers["Authorization"] }
        #expect(tokens == ["Bearer access-1.0", "Bearer access-fresh"])
    }

    @Test("Without asking, it says that a recent sign-in is needed")
    func doesNotAsk() async throws {
        let client = try await device.signedInClient()
        device.service.on("POST /v1/apple/revoke", .refusal(403, .requiresRecentLogin))
        let error = await failure { try await client.revokeToken(promptingIfNeeded: false) }
        #expect(error?.code == .refused(.requiresRecentLogin))
        #expect(error?.hint?.contains("reauthenticate()") == true)
    }

    @Test("A session that a password opened asks nobody at Apple, though the account has an Apple Account")
    func proofByPassword() async throws {
        let client = try await device.clientByPassword()
        device.service.list(.email(current: true), .apple())
        _ = try await client.reloadAccount()
        device.service.on("POST /v1/apple/revoke", .refusal(403, .requiresRecentLogin))
        let script = AuthorizationScript(TestDevice.appleAnswer())
        let error = await withAuthorizationScript(script) { await failure { try await client.revokeToken() } }
        #expect(error?.code == .refused(.requiresRecentLogin))
        #expect(script.requests.isEmpty && device.service.requests("POST /v1/challenges").isEmpty)
    }

    @Test("If the service holds no token, the answer says how to remove the app by hand")
    func byHand() async throws {
        let client = try await device.signedInClient()
        device.service.on("POST /v1/apple/revoke") { _ in
            try .json(202, AppleRevocationAnswer(manualRemoval: .ofApp("Juice")))
        }
        let removal = try #require(try await client.revokeToken())
        #expect(removal.message.contains("Juice"))
        #expect(removal.url.host() == "account.apple.com")
    }
}
