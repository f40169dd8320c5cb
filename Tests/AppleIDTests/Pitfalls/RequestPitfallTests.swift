import AppleIDTypes
import Crypto
import Foundation
import HTTPTypes
import StrictJSON
import Testing

@testable import AppleID

/// The rows of Docs/pitfalls.md that are about what is asked of Apple, and what comes back, by their numbers.
@Suite("Pitfalls of requests")
struct RequestPitfallTests {
    let setup: TestClient
    var client: AppleIDClient { setup.client }

    init() throws {
        setup = try TestClient()
    }

    private func url(redirectURI: String = "https://example.com/callback") throws -> String {
        try client.authorizationURL(
            for: AuthorizationRequest(
                client: "com.example.juice.web", redirectURI: redirectURI, scopes: [.email], state: "s", nonce: "n"))
    }

    private func refresh() async -> AppleIDError? {
        await failure { () async throws(AppleIDError) in
            _ = try await client.refresh(RefreshToken("r"), client: "com.example.juice", subject: "s")
        }
    }

    @Test("Q2: a browser is sent to appleid.apple.com, and there is no setting for another host of Apple's")
    func host() throws {
        #expect(try url().hasPrefix("https://appleid.apple.com/auth/authorize?"))
    }

    @Test("Q11: a cancellation has a state, but neither a code nor a token")
    func cancellation() throws {
        let response = try AuthorizationResponse(form: [("state", "s"), ("error", "user_cancelled_authorize")])
        #expect(response.error == .userCancelledAuthorize)
        #expect(response.state == "s")
        #expect(response.code == nil && response.identityToken == nil && response.user == nil)
    }

    @Test(
        "Q14: the client secret is issued for the client that redeems the code",
        arguments: [ClientRegistration.Kind.app, .service])
    func client(of kind: ClientRegistration.Kind) async throws {
        let id: ClientID = kind == .app ? "com.example.juice" : "com.example.juice.web"
        setup.transport.answer(.status(400, #"{"error":"invalid_grant"}"#))
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await client.exchange(
                code: "c", client: id, nonce: .noneSent, redirectURI: kind == .app ? nil : "https://example.com/")
        }
        let fields = setup.fields()
        #expect(fields.contains("client_id=\(id)"))
        let secret = try #require(fields.first { $0.hasPrefix("client_secret=") })
        let payload = try #require(Base64URL.decode(secret.split(separator: ".")[1]))
        #expect(try JSONDocument(payload).root["sub"]?.string == id.rawValue)
    }

    @Test("A code is sent once, even when no answer comes back")
    func singleUse() async throws {
        for answer in [.failure(TestTransport.Lost()), .status(503), .status(200, "<html>")] as [TestTransport.Answer] {
            let setup = try TestClient()
            setup.transport.answer(answer)
            let error = await failure { () async throws(AppleIDError) in
                _ = try await setup.client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent)
            }
            #expect(error?.code == .exchangeOutcomeUnknown)
            #expect(error?.kind == .signInAgain, "no kind that a job tries again by")
            #expect(setup.transport.requests.count == 1)
        }
    }

    @Test("Q17: a client secret lives for minutes and is replaced before it ends, even after years")
    func secretLifetime() async throws {
        setup.transport.answer(.status(200))
        for _ in 0..<20 {
            try await client.revoke(RefreshToken("r"), client: "com.example.juice")
            let secret = try #require(setup.fields(setup.transport.requests.count - 1).first { $0.contains("secret") })
            let payload = try #require(Base64URL.decode(secret.split(separator: ".")[1]))
            let expiry = try #require(try JSONDocument(payload).root["exp"]?.int64)
            #expect((1...15_777_000).contains(expiry - Int64(setup.clock.now.timeIntervalSince1970)))
            setup.clock.advance(by: 30 * 86_400)
        }
    }

    @Test("Q18: a key that cannot sign for Apple is refused at the start, and a good one signs as Apple requires")
    func key() throws {
        let good = P256.Signing.PrivateKey().pemRepresentation
        for bad in [
            "", "x", P384.Signing.PrivateKey().pemRepresentation, P256.Signing.PrivateKey().publicKey.pemRepresentation,
            String(good.dropLast(40)),
        ] {
            #expect(throws: AppleIDError(.invalidPrivateKey, "")) {
                try AppleClientKey(id: "K", team: "T", pem: bad)
            }
        }
        #expect(throws: AppleIDError(.invalidPrivateKey, "")) { try AppleClientKey(id: "", team: "T", pem: good) }
        let escaped = try AppleClientKey(id: "K", team: "T", pem: good.replacing("\n", with: "\\n"))
        let secret = try ClientSecret(for: ClientRegistration(id: "c", kind: .app, key: escaped), at: 0).rawValue
        let parts = secret.split(separator: ".")
        let header = try JSONDocument(try #require(Base64URL.decode(parts[0]))).root
        #expect(header["alg"]?.string == "ES256" && header["kid"]?.string == "K")
        #expect(Base64URL.decode(parts[2])?.count == 64)
    }

    @Test("Q20: a page from Apple's edge is a temporary failure, and requests have siwa's user agent")
    func edge() async {
        setup.transport.answer(.status(403, "<html>Forbidden</html>"))
        #expect(await refresh()?.kind == .transient)
        #expect(
            setup.transport.requests.allSatisfy { request in
                request.head.headerFields[.userAgent]?.hasPrefix("siwa/") == true
            })
    }

    @Test("Q21: keys are fetched once, and not again for each token or invented name")
    func keys() async throws {
        let transport = TestTransport(.ok(try TestSigner.shared.keySetJSON()))
        let cache = KeyCache(
            server: .apple, transport: transport, environment: setup.clock.environment, logger: client.logger)
        for number in 0..<100 {
            _ = try await cache.key("TESTKEY001")
            _ = await failure { () async throws(AppleIDError) in _ = try await cache.key(KeyID("random-\(number)")) }
        }
        #expect(transport.requests.count == 2)
    }

    @Test("Q29: a refresh succeeds without an identity token")
    func refreshWithoutToken() async {
        setup.transport.answer(TestClient.answer())
        #expect(await refresh() == nil)
    }

    @Test(
        "Q30: both of Apple's error codes for a withdrawn authorization are recognized",
        arguments: ["invalid_grant", "invalid_request"])
    func withdrawn(word: String) async {
        setup.transport.answer(.status(400, #"{"error":"\#(word)"}"#))
        #expect(await refresh()?.kind == .grantIsDead)
    }

    @Test("Q31: a revocation is only accepted, and its field is called token")
    func revocation() async throws {
        setup.transport.answer(.status(200))
        let accepted: AcceptedRevocation = try await client.revoke(
            RefreshToken("garbage"), client: "com.example.juice")
        #expect(accepted.tokenType == "refresh_token")
        #expect(setup.fields().contains("token=garbage"))
        #expect(!setup.fields().contains { $0.hasPrefix("refresh_token=") })
    }

    @Test("Q33: challenge and verifier are sent both or not at all, and an empty one is refused before it is sent")
    func codeVerifier() async throws {
        var request = AuthorizationRequest(
            client: "com.example.juice.web", redirectURI: "https://example.com/", scopes: [], state: "s", nonce: "n")
        #expect(try !client.authorizationURL(for: request).contains("code_challenge"))
        request.codeChallenge = "challenge"
        #expect(
            try client.authorizationURL(for: request).hasSuffix(
                "&code_challenge=challenge&code_challenge_method=S256"))
        request.codeChallenge = ""
        #expect(throws: AppleIDError(.invalidAuthorizationRequest, "")) { try client.authorizationURL(for: request) }
        for (verifier, sent) in [(nil, 0), ("verifier", 1)] as [(String?, Int)] {
            let setup = try TestClient()
            _ = await failure { () async throws(AppleIDError) in
                _ = try await setup.client.exchange(
                    code: "c", client: "com.example.juice", nonce: .noneSent, codeVerifier: verifier)
            }
            #expect(setup.transport.requests.count == 1)
            #expect(setup.fields().filter { $0.hasPrefix("code_verifier=") }.count == sent)
            #expect(setup.fields().contains("code_verifier=verifier") == (sent == 1))
        }
        await #expect(throws: AppleIDError(.invalidAuthorizationRequest, "")) {
            try await client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent, codeVerifier: "")
        }
        #expect(setup.transport.requests.isEmpty)
    }

    @Test("Q34: a device's code with a redirect URI, and a web code without one, are refused before a request")
    func redirectURI() async {
        for (id, uri) in [("com.example.juice", "https://example.com/"), ("com.example.juice.web", nil)]
            as [(ClientID, String?)]
        {
            await #expect(throws: AppleIDError(.invalidAuthorizationRequest, "")) {
                try await client.exchange(code: "c", client: id, nonce: .noneSent, redirectURI: uri)
            }
        }
        #expect(setup.transport.requests.isEmpty)
    }

    @Test(
        "Q35: a redirect URI that Apple never takes is refused before a browser goes there",
        arguments: [
            "http://example.com/", "https://localhost/", "https://127.0.0.1/", "https://[::1]/", "https://example/",
            "https://example.com/#top", "myapp://callback", "https://", "https://.com/", "https://app.localhost/",
            "HTTPS://example.com/", "https://10.0.0.1:8443/x",
        ])
    func badRedirectURI(uri: String) {
        #expect(throws: AppleIDError(.invalidAuthorizationRequest, "")) { try url(redirectURI: uri) }
    }

    @Test(
        "Q35: a redirect URI that Apple may accept is not refused",
        arguments: ["https://a.b/", "https://1.example.com:8443/?a=b"])
    func goodRedirectURI(uri: String) throws {
        #expect(try url(redirectURI: uri).contains("redirect_uri=https%3A%2F%2F"))
    }

    @Test("Q39: events may be text or an object, times seconds or milliseconds, and both deletion types count")
    func notification() async throws {
        let verifier = NotificationVerifier(
            keys: try KeyCache(fixed: TestSigner.shared.keySetJSON()), environment: setup.clock.environment)
        for type in ["account-delete", "account-deleted"] {
            for time in ["1700000000", "1700000000000"] {
                let object = #"{"type":"\#(type)","sub":"s","event_time":\#(time)}"#
                for events in [object, "\"" + object.replacing("\"", with: "\\\"") + "\""] {
                    let notification = try await verifier.verify(
                        try TestSigner.shared.token(.notification(["events": events])),
                        expecting: NotificationExpectation(audiences: [TestClaims.audience]))
                    #expect(notification.change == .accountDeleted)
                    #expect(notification.event.time == 1_700_000_000_000)
                }
            }
        }
    }

    @Test("Q40: a token's transfer subject is kept, and a transfer to one's own team is refused")
    func transfer() async throws {
        let identity = try await verify(TestSigner.shared.token(.identity(["transfer_sub": "\"t.1\""])))
        #expect(identity.claims.transferSubject == "t.1")
        let token = MigrationToken(
            client: "com.example.juice", accessToken: AccessToken("a"), expiresAt: .distantFuture)
        await #expect(throws: AppleIDError(.invalidTransfer, "")) {
            try await client.transferSubject(of: "s", to: "TEAM000001", using: token)
        }
    }

    @Test("Q44: a name from the browser is short, without control characters, and decides nothing")
    func name() throws {
        let hostile =
            #"{"name":{"firstName":"  J\u0007o\u202E\n ","lastName":"\#(String(repeating: "x", count: 513))"}}"#
        let user = try #require(try AuthorizationResponse(form: [("user", hostile)]).user)
        #expect(user == AuthorizedUser(firstName: "Jo", lastName: nil, email: nil))
        for text in ["", "x", "[]", #"{"name":5}"#, #"{"name":{"firstName":{}}}"#] {
            let user = try AuthorizationResponse(form: [("user", text)]).user
            #expect(user?.firstName == nil)
        }
    }
}
