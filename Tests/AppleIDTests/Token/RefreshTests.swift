import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

@Suite("Validation of a refresh token")
struct RefreshTests {
    let setup: TestClient
    var client: AppleIDClient { setup.client }

    init() throws {
        setup = try TestClient()
    }

    private func refresh(subject: Subject = "001234.abc.5678") async -> AppleIDError? {
        await failure { () async throws(AppleIDError) in
            _ = try await client.refresh(RefreshToken("r/private"), client: "com.example.juice", subject: subject)
        }
    }

    @Test("The form has the fields that Apple asks for")
    func form() async throws {
        setup.transport.answer(TestClient.answer())
        _ = try await client.refresh(RefreshToken("r/private"), client: "com.example.juice", subject: "s")
        #expect(setup.transport.requests.map(\.url) == ["https://appleid.apple.com/auth/token"])
        let fields = setup.fields()
        #expect(
            fields.map { $0.prefix { $0 != "=" } } == ["client_id", "client_secret", "grant_type", "refresh_token"])
        #expect(fields[0] == "client_id=com.example.juice")
        #expect(fields[2] == "grant_type=refresh_token")
        #expect(fields[3] == "refresh_token=r%2Fprivate")
    }

    @Test("An answer without an identity token is accepted, and one with a token is verified")
    func identityToken() async throws {
        setup.transport.answer(TestClient.answer())
        let bare = try await client.refresh(RefreshToken("r"), client: "com.example.juice", subject: "anybody")
        #expect(bare.identity == nil)
        #expect(bare.accessToken.rawValue == "a.token")
        #expect(bare.refreshToken == nil)
        #expect(bare.expiresIn == .seconds(3_600))
        let token = try TestSigner.shared.token(.identity())
        setup.transport.answer(TestClient.answer(["id_token": "\"\(token)\"", "refresh_token": "\"new\""]))
        let full = try await client.refresh(RefreshToken("r"), client: "com.example.juice", subject: "001234.abc.5678")
        #expect(full.identity?.subject == "001234.abc.5678")
        #expect(full.refreshToken?.rawValue == "new")
    }

    @Test("An answer with an invalid identity token, or with one for another client or person, is refused")
    func badIdentityToken() async throws {
        for (claims, code) in [
            (["aud": "\"com.example.juice.web\""], .audienceMismatch), (["exp": "1"], .tokenExpired),
            (["sub": "\"somebody.else\""], .subjectMismatch),
        ] as [([String: String?], AppleIDError.Code)] {
            let token = try TestSigner.shared.token(.identity(claims))
            setup.transport.answer(TestClient.answer(["id_token": "\"\(token)\""]))
            let error = await refresh(subject: "001234.abc.5678")
            #expect(error?.code == code)
            #expect(error?.kind == .token, "not a dead grant: nobody's session ends by that")
        }
        for member in ["5", "null", "\"\"", "[]"] {
            setup.transport.answer(TestClient.answer(["id_token": member]))
            #expect(await refresh()?.code == .malformedAnswer)
            setup.transport.answer(TestClient.answer(["refresh_token": member]))
            #expect(await refresh()?.code == .malformedAnswer)
        }
    }

    @Test(
        "Both of Apple's error codes for a withdrawn authorization mark the token as dead, and no other answer does",
        arguments: [
            (400, "invalid_grant", .grantRejected, .grantIsDead),
            (400, "invalid_request", .grantRejected, .grantIsDead),
            (400, "invalid_client", .clientRejected, .configuration),
            (400, "unauthorized_client", .clientRejected, .configuration),
            (400, "unsupported_grant_type", .clientRejected, .configuration),
            (400, "invalid_scope", .clientRejected, .configuration),
            (400, "brand_new", .malformedAnswer, .transient), (429, "invalid_grant", .appleUnavailable, .transient),
            (401, "invalid_grant", .appleUnavailable, .transient),
            (403, "invalid_request", .appleUnavailable, .transient),
            (404, "invalid_grant", .appleUnavailable, .transient),
            (408, "invalid_request", .appleUnavailable, .transient),
            (500, "invalid_grant", .appleUnavailable, .transient),
            (503, "invalid_request", .appleUnavailable, .transient),
        ] as [(Int, String, AppleIDError.Code, AppleIDError.Kind)])
    func refusal(status: Int, word: String, code: AppleIDError.Code, kind: AppleIDError.Kind) async throws {
        setup.transport.answer(.status(status, #"{"error":"\#(word)","error_description":"because \u0007"}"#))
        let error = try #require(await refresh())
        #expect(error.code == code)
        #expect(error.kind == kind)
        #expect(!String(reflecting: error).contains("private"))
        guard code == .grantRejected || code == .clientRejected else { return }
        let cause = try #require(error.cause as? AppleRefusal)
        #expect(cause == AppleRefusal(status: status, word: AppleErrorCode(word), detail: "because ?"))
        #expect("\(cause)" == "Apple answered 400 with \(word)")
    }

    @Test(
        "A page instead of an answer is a temporary failure, whatever its status",
        arguments: [200, 302, 400, 403, 404, 502])
    func page(status: Int) async {
        setup.transport.answer(.status(status, "<html>Forbidden</html>"))
        #expect(await refresh()?.kind == .transient)
    }

    @Test("An unknown client and an empty token are refused before a request")
    func local() async {
        await #expect(throws: AppleIDError(.unknownClient, "")) {
            try await client.refresh(RefreshToken("r"), client: "com.example.other", subject: "s")
        }
        await #expect(throws: AppleIDError(.tokenMissing, "")) {
            try await client.refresh(RefreshToken(""), client: "com.example.juice", subject: "s")
        }
        #expect(setup.transport.requests.isEmpty)
    }
}
