import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Crypto
import Foundation
import Testing

@Suite("Proving again who one is", .timeLimit(.minutes(2)))
struct ReauthenticationTests {
    private let device = TestDevice()

    @Test("Apple is asked without scopes, with a nonce that the service made for this purpose")
    func asks() async throws {
        let client = try await device.signedInClient()
        let script = AuthorizationScript(TestDevice.appleAnswer())
        let date = try await withAuthorizationScript(script) { try await client.reauthenticate() }
        #expect(date == Date(timeIntervalSince1970: 1_700_000_100))
        #expect(device.service.requests("POST /v1/challenges").first?.json["purpose"] as? String == "reauthenticate")
        let request = try #require(script.requests.first)
        #expect(request.requestedScopes == [])
        let hash = SHA256.hash(data: Data(TestService.challenge.utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(request.nonce == hash)
        let call = try #require(device.service.requests("POST /v1/reauthenticate/apple").first)
        #expect(call.headers["Authorization"] == "Bearer access-1.0")
        #expect(call.json["nonce"] as? String == TestService.challenge)
        #expect(call.json["identityToken"] as? String == "identity-token")
        #expect(call.json["authorizationCode"] as? String == "apple-code")
        // Session and refresh token stay; the new access token says that the person was there.
        #expect(try await client.accessToken() == "access-fresh")
        #expect(try device.stored?.contains("refresh-1.0") == true)
    }

    @Test("An app's own controller gets a nonce for it")
    func ownController() async throws {
        let client = try await device.signedInClient()
        var credential = TestDevice.credential()
        credential.nonce = try await client.reauthenticationNonce()
        try await client.reauthenticate(with: credential)
        let call = try #require(device.service.requests("POST /v1/reauthenticate/apple").first)
        #expect(call.json["nonce"] as? String == TestService.challenge)
    }

    @Test("A credential without a nonce, or with nothing in it, is not sent")
    func incomplete() async throws {
        let client = try await device.signedInClient()
        var credential = TestDevice.credential()
        credential.nonce = nil
        #expect(await failure { try await client.reauthenticate(with: credential) }?.code == .notConfigured)
        let empty = AppleCredential(user: TestDevice.user, identityToken: nil, authorizationCode: nil, nonce: "n")
        #expect(await failure { try await client.reauthenticate(with: empty) }?.code == .invalidResponse)
        #expect(device.service.requests("POST /v1/reauthenticate/apple").isEmpty)
    }

    @Test(
        "A refusal has the service's code and a hint; the session stays",
        arguments: [ErrorCode.credentialMismatch, .challengeInvalid])
    func refused(code: ErrorCode) async throws {
        let client = try await device.signedInClient()
        device.service.on("POST /v1/reauthenticate/apple", .refusal(403, code))
        let error = await failure { try await client.reauthenticate(with: TestDevice.credential()) }
        #expect(error?.code == .refused(code))
        #expect(error?.hint != nil)
        #expect(await client.account != nil)
    }

    @Test("A person who cancels at Apple stays signed in")
    func cancelled() async throws {
        let client = try await device.signedInClient()
        await withAuthorizationScript(AuthorizationScript(.cancel)) {
            #expect(await failure { try await client.reauthenticate() }?.code == .cancelled)
        }
        #expect(await client.account != nil)
        #expect(try await client.accessToken() == "access-1.0")
    }

    @Test("A sign-in takes its place")
    func superseded() async throws {
        let client = try await device.signedInClient()
        let script = AuthorizationScript(TestDevice.appleAnswer().after(AuthorizationSignal()))
        await withAuthorizationScript(script) {
            async let error = failure { try await client.reauthenticate() }
            _ = await script.requests(atLeast: 1)
            #expect(await failure { try await client.signIn(with: TestDevice.credential()) } == nil)
            #expect(await error?.code == .cancelled)
        }
    }

    @Test("Without a session, reauthentication fails with notSignedIn, and Apple isn't asked")
    func nobody() async throws {
        let client = try device.client()
        let script = AuthorizationScript(TestDevice.appleAnswer())
        await withAuthorizationScript(script) {
            #expect(await failure { try await client.reauthenticate() }?.code == .notSignedIn)
        }
        #expect(script.requests.isEmpty)
        #expect(device.service.requests.isEmpty)
    }
}
