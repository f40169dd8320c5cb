import AppleIDTypes
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import AppleID

@Suite("Exchange of an authorization code")
struct ExchangeTests {
    let setup: TestClient
    var transport: TestTransport { setup.transport }
    var client: AppleIDClient { setup.client }

    init() throws {
        setup = try TestClient()
    }

    func answer(_ changes: [String: String?] = [:], claims: TestClaims = .identity()) throws -> TestTransport.Answer {
        var members: [String: String] = [
            "access_token": "\"a.token\"", "token_type": "\"Bearer\"", "expires_in": "3600",
            "refresh_token": "\"r.token\"",
            "id_token": "\"\(try TestSigner.shared.token(claims))\"",
        ]
        for (name, value) in changes { members[name] = value }
        return .ok(Array(("{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}").utf8))
    }

    @Test("The form has the fields that Apple asks for, with every value percent-encoded")
    func form() async throws {
        transport.answer(try answer())
        _ = try await client.exchange(code: "c+o/d=e &ü", client: "com.example.juice", nonce: .noneSent)
        let request = try #require(transport.requests.first)
        #expect(request.head.method == .post)
        #expect(request.url == "https://appleid.apple.com/auth/token")
        #expect(request.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.head.headerFields[.userAgent]?.hasPrefix("siwa/") == true)
        let text = String(decoding: request.body, as: UTF8.self)
        #expect(text.contains("code=c%2Bo%2Fd%3De%20%26%C3%BC&"))
        let fields = text.split(separator: "&").map { $0.split(separator: "=")[0] }
        #expect(fields == ["client_id", "client_secret", "code", "grant_type"])
        #expect(text.contains("grant_type=authorization_code"))
        #expect(text.contains("client_id=com.example.juice&"))
    }

    @Test("Redirect URI and code verifier are sent when given")
    func optionalFields() async throws {
        transport.answer(try answer(claims: .identity(["aud": "\"com.example.juice.web\""])))
        _ = try await client.exchange(
            code: "c", client: "com.example.juice.web", nonce: .noneSent, redirectURI: "https://example.com/a?b",
            codeVerifier: "v~v")
        let text = String(decoding: try #require(transport.requests.first).body, as: UTF8.self)
        #expect(text.hasSuffix("&redirect_uri=https%3A%2F%2Fexample.com%2Fa%3Fb&code_verifier=v~v"))
    }

    @Test("A good answer becomes a grant")
    func grant() async throws {
        transport.answer(try answer(["more": "[]"]))
        let grant = try await client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent)
        #expect(grant.identity.subject == "001234.abc.5678")
        #expect(grant.identity.nonce == .notExpected)
        #expect(grant.accessToken.rawValue == "a.token")
        #expect(grant.refreshToken?.rawValue == "r.token")
        #expect(grant.expiresIn == .seconds(3_600))
        transport.answer(try answer(["refresh_token": nil, "token_type": "\"bearer\""]))
        #expect(try await client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent).refreshToken == nil)
    }

    @Test("The identity token of the answer is verified like any other, and for this client alone")
    func verified() async throws {
        let cases: [([String: String?], AppleIDError.Code)] = [
            (["aud": "\"com.example.juice.web\""], .audienceMismatch), (["exp": "1"], .tokenExpired),
            (["sub": nil], .subjectMissing),
            (["events": "{}"], .notAnIdentityToken), (["at_hash": "\"x\""], .accessTokenHashMismatch),
        ]
        for (changes, code) in cases {
            transport.answer(try answer(claims: .identity(changes)))
            #expect(await failure()?.code == code)
        }
        let hash = try #require(
            String(bytes: Base64URL.encode(Array(SHA256.hash(data: Data("a.token".utf8)).prefix(16))), encoding: .utf8))
        transport.answer(try answer(claims: .identity(["at_hash": "\"\(hash)\""])))
        #expect(try await client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent).expiresIn > .zero)
    }

    @Test(
        "If the answer lacks a member or has one of another type, the outcome for the code is unknown",
        arguments: [
            ["access_token": nil], ["access_token": "\"\""], ["access_token": "5"],
            ["token_type": nil], ["token_type": "\"mac\""], ["expires_in": nil], ["expires_in": "\"3600\""],
            ["expires_in": "-1"],
            ["expires_in": "1e300"],
        ] as [[String: String?]])
    func malformedAnswer(changes: [String: String?]) async throws {
        transport.answer(try answer(changes))
        let error = try #require(await failure())
        #expect(error.code == .exchangeOutcomeUnknown)
        #expect(error.kind == .signInAgain)
        let grant = try #require(error.cause as? UnverifiedGrant)
        #expect((grant.cause as? AppleIDError)?.code == .malformedAnswer)
        // The parts that can be read are not lost with the rest.
        #expect(grant.refreshToken?.rawValue == "r.token" && grant.identityToken != nil)
        #expect(grant.accessToken?.rawValue == (changes.keys.contains("access_token") ? nil : "a.token"))
        #expect(!error.description.contains("token\""))
    }

    static let refusals: [(status: Int, body: String, code: AppleIDError.Code, kind: AppleIDError.Kind)] = [
        (400, #"{"error":"invalid_grant"}"#, .grantRejected, .grantIsDead),
        (
            400, #"{"error":"invalid_grant","error_description":"The code has expired or has been revoked."}"#,
            .grantRejected, .grantIsDead
        ),
        (400, #"{"error":"invalid_grant","email_verified":false,"error_description":5}"#, .grantRejected, .grantIsDead),
        (400, #"{"error":"invalid_client"}"#, .clientRejected, .configuration),
        (401, #"{"error":"invalid_client"}"#, .clientRejected, .configuration),
        (400, #"{"error":"unauthorized_client"}"#, .clientRejected, .configuration),
        (400, #"{"error":"unsupported_grant_type"}"#, .clientRejected, .configuration),
        (400, #"{"error":"invalid_scope"}"#, .clientRejected, .configuration),
        (400, #"{"error":"invalid_request"}"#, .clientRejected, .configuration),
    ]

    @Test("Only Apple's error codes mark a grant as dead or a client as wrong", arguments: refusals.indices)
    func refusal(index: Int) async throws {
        let (status, body, code, kind) = Self.refusals[index]
        transport.answer(.status(status, body))
        let error = try #require(await failure())
        #expect(error.code == code)
        #expect(error.kind == kind)
        #expect(transport.requests.count == 1)
    }

    @Test("The error mentions the redirect URI after invalid_grant, and not after invalid_client")
    func redirectHint() async throws {
        let text = "redirect_uri mismatch. The code was not issued to https://other.example.com/."
        transport.answer(.status(400, #"{"error":"invalid_grant","error_description":"\#(text)"}"#))
        let mismatch = try #require(await failure())
        #expect(mismatch.code == .grantRejected)
        #expect(mismatch.reason.contains("redirect URI"))
        #expect((mismatch.cause as? AppleRefusal)?.detail?.hasPrefix("redirect_uri mismatch.") == true)
        transport.answer(.status(400, #"{"error":"invalid_client"}"#))
        let client = try #require(await failure())
        #expect(client.code == .clientRejected)
        #expect(!client.reason.contains("redirect URI"))
    }

    @Test(
        "After any other answer the outcome is unknown: the code isn't sent again, and the person signs in again",
        arguments: [
            (400, #"{"error":"brand_new"}"#, .malformedAnswer), (400, #"{"error":5}"#, .appleUnavailable),
            (400, "<html></html>", .appleUnavailable), (403, "<html>Forbidden</html>", .appleUnavailable),
            (400, "", .appleUnavailable), (429, #"{"error":"invalid_grant"}"#, .appleUnavailable),
            (500, #"{"error":"invalid_grant"}"#, .appleUnavailable), (503, "", .appleUnavailable),
            (302, "", .appleUnavailable), (204, "", .appleUnavailable), (200, "<html></html>", .malformedAnswer),
            (200, #"{"error":"invalid_grant"}"#, .malformedAnswer), (200, "", .malformedAnswer),
        ] as [(Int, String, AppleIDError.Code)])
    func unknown(status: Int, body: String, cause: AppleIDError.Code) async throws {
        transport.answer(.status(status, body))
        let error = try #require(await failure())
        #expect(error.code == .exchangeOutcomeUnknown)
        #expect(error.kind == .signInAgain)
        #expect((error.cause as? AppleIDError)?.code == cause)
        #expect(transport.requests.count == 1)
    }

    @Test("If the answer is lost, the request isn't repeated, because the code may be spent")
    func lost() async throws {
        transport.answer(.failure(TestTransport.Lost()))
        let error = try #require(await failure())
        #expect(error.code == .exchangeOutcomeUnknown)
        #expect(error.kind == .signInAgain)
        #expect((error.cause as? AppleIDError)?.cause is TestTransport.Lost)
        #expect(transport.requests.count == 1)
    }

    @Test("An unknown client, an empty code and a redirect URI that doesn't belong are refused before a request")
    func local() async throws {
        await #expect(throws: AppleIDError(.unknownClient, "")) {
            try await client.exchange(code: "c", client: "com.example.Juice", nonce: .noneSent)
        }
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await client.exchange(code: "", client: "com.example.juice", nonce: .noneSent)
        }
        await #expect(throws: AppleIDError(.invalidAuthorizationRequest, "")) {
            try await client.exchange(
                code: "c", client: "com.example.juice", nonce: .noneSent, redirectURI: "https://example.com/")
        }
        await #expect(throws: AppleIDError(.invalidAuthorizationRequest, "")) {
            try await client.exchange(code: "c", client: "com.example.juice.web", nonce: .noneSent)
        }
        for (uri, verifier) in [("", nil), ("https://example.com/", ""), ("", "")] as [(String, String?)] {
            await #expect(throws: AppleIDError(.invalidAuthorizationRequest, "")) {
                try await client.exchange(
                    code: "c", client: "com.example.juice.web", nonce: .noneSent, redirectURI: uri,
                    codeVerifier: verifier
                )
            }
        }
        #expect(transport.requests.isEmpty)
    }

    private func failure() async -> AppleIDError? {
        do throws(AppleIDError) {
            _ = try await client.exchange(code: "private-code", client: "com.example.juice", nonce: .noneSent)
            return nil
        } catch {
            #expect(!String(reflecting: error).contains("private-code"))
            return error
        }
    }
}
