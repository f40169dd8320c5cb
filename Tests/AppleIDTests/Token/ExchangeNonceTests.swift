import AppleIDTypes
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import AppleID

@Suite("The nonce of an exchange, and an answer that does not verify")
struct ExchangeNonceTests {
    let setup: TestClient

    init() throws {
        setup = try TestClient()
    }

    private func answer(_ claims: [String: String?]) throws {
        let token = try TestSigner.shared.token(.identity(claims))
        setup.transport.answer(TestClient.answer(["id_token": "\"\(token)\"", "refresh_token": "\"r.private\""]))
    }

    private func exchange(_ nonce: ExchangeNonce, client: ClientID = "com.example.juice") async -> AppleIDError? {
        await failure { () async throws(AppleIDError) in
            _ = try await setup.client.exchange(code: "c", client: client, nonce: nonce)
        }
    }

    private func identity(_ claims: [String: String?] = [:], nonce: String? = "n") async throws -> VerifiedIdentity {
        var claims = claims
        claims["nonce"] = nonce.map { "\"\($0)\"" }
        return try await setup.client.identityVerifier.verify(
            try TestSigner.shared.token(.identity(claims)),
            expecting: IdentityExpectation(
                audiences: ["com.example.juice", "com.example.juice.web"], nonce: nonce.map { .issued($0) } ?? .noneSent
            ))
    }

    static let hash = SHA256.hash(data: Data("n".utf8)).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()

    @Test("The token in the answer must carry the nonce of the request")
    func expected() async throws {
        let none = "-"
        for (claim, nonce, code) in [
            ("n", .issued("n"), nil), (Self.hash, .issued("n"), nil), (Self.hash, .hashed(ofRaw: "n"), nil),
            ("n", .hashed(ofRaw: "n"), .nonceMismatch), ("other", .issued("n"), .nonceMismatch),
            ("n", .noneSent, .nonceMismatch), (none, .noneSent, nil), (none, .issued("n"), .nonceMissing),
        ] as [(String, ExchangeNonce, AppleIDError.Code?)] {
            try answer(["nonce": claim == none ? nil : "\"\(claim)\""])
            #expect(await exchange(nonce)?.code == code)
        }
        try answer(["nonce": nil, "nonce_supported": "false"])
        let grant = try await setup.client.exchange(code: "c", client: "com.example.juice", nonce: .issued("n"))
        #expect(grant.identity.nonce == .unsupported)
    }

    @Test("With a verified token, the answer's token must have the same person and nonce")
    func proven() async throws {
        let beside = try await identity()
        for (claims, code) in [
            (["nonce": "\"n\""], nil), (["nonce": nil], .nonceMismatch), (["nonce": "\"other\""], .nonceMismatch),
            (["nonce": nil, "nonce_supported": "false"], .nonceMismatch),
            (["nonce": "\"n\"", "sub": "\"somebody.else\""], .subjectMismatch),
            (["nonce": "\"n\"", "sub": "\"001234.ABC.5678\""], .subjectMismatch),
        ] as [([String: String?], AppleIDError.Code?)] {
            try answer(claims)
            #expect(await exchange(.proven(by: beside))?.code == code)
        }
    }

    @Test("A verified token without a nonce doesn't match an answer's token with one")
    func withoutNonce() async throws {
        let beside = try await identity(nonce: nil)
        for (claim, code) in [(nil, nil), ("n", .nonceMismatch), ("", .nonceMismatch)]
            as [(String?, AppleIDError.Code?)]
        {
            try answer(["nonce": claim.map { "\"\($0)\"" }])
            #expect(await exchange(.proven(by: beside))?.code == code)
        }
    }

    @Test("An empty nonce, or a token of another client, is refused before the code is sent")
    func local() async throws {
        let other = try await identity(["aud": "\"com.example.juice.web\""])
        for nonce in [.issued(""), .hashed(ofRaw: ""), .proven(by: other)] as [ExchangeNonce] {
            let error = await exchange(nonce)
            #expect(error?.code == .invalidAuthorizationRequest)
            #expect(error?.kind == .configuration)
        }
        #expect(setup.transport.requests.isEmpty)
    }

    @Test("If the answer's token doesn't verify, the error holds the grant, hidden and ready to be revoked")
    func unverified() async throws {
        try answer(["nonce": "\"other\""])
        let error = try #require(await exchange(.issued("n")))
        #expect(error.code == .nonceMismatch)
        let grant = try #require(error.cause as? UnverifiedGrant)
        #expect(grant.client == "com.example.juice")
        #expect(grant.accessToken?.rawValue == "a.token")
        let identityToken = try #require(grant.identityToken)
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(grant)", String(reflecting: grant), "\(error)", String(reflecting: error), dumped] {
            #expect(!text.contains("private") && !text.contains("a.token") && !text.contains(identityToken))
        }
        setup.transport.answer(.status(200))
        try await setup.client.revoke(try #require(grant.refreshToken), client: grant.client)
        #expect(setup.fields(1).contains("token=r.private"))
    }

    @Test(
        "If the answer has no usable identity token, the error still holds the refresh token",
        arguments: [nil, "5", "null", "\"\"", "[]"] as [String?])
    func withoutToken(identityToken: String?) async throws {
        setup.transport.answer(TestClient.answer(["refresh_token": "\"r.private\"", "id_token": identityToken]))
        let error = try #require(await exchange(.issued("n")))
        #expect(error.code == .exchangeOutcomeUnknown)
        #expect(error.kind == .signInAgain)
        let grant = try #require(error.cause as? UnverifiedGrant)
        #expect(grant.identityToken == nil)
        #expect((grant.cause as? AppleIDError)?.code == .malformedAnswer)
        setup.transport.answer(.status(200))
        try await setup.client.revoke(try #require(grant.refreshToken), client: grant.client)
        #expect(setup.fields(1).contains("token=r.private"))
    }

    @Test(
        "If the answer has no usable refresh token, the error still holds the other tokens",
        arguments: ["5", "null", "\"\"", "{}"])
    func unreadableRefreshToken(text: String) async throws {
        let token = try TestSigner.shared.token(.identity(["nonce": "\"n\""]))
        setup.transport.answer(TestClient.answer(["refresh_token": text, "id_token": "\"\(token)\""]))
        let error = try #require(await exchange(.issued("n")))
        #expect(error.code == .exchangeOutcomeUnknown)
        #expect(error.kind == .signInAgain)
        let grant = try #require(error.cause as? UnverifiedGrant)
        #expect(grant.refreshToken == nil)
        #expect(grant.accessToken?.rawValue == "a.token")
        #expect(grant.identityToken == token)
        #expect((grant.cause as? AppleIDError)?.code == .malformedAnswer)
    }

    @Test("If the key of the answer's token is unavailable, the code is spent and the token can be verified later")
    func keyMissing() async throws {
        _ = await failure { () async throws(AppleIDError) in _ = try await setup.client.keys.key("TESTKEY001") }
        _ = await failure { () async throws(AppleIDError) in _ = try await setup.client.keys.key("random") }
        let token = try TestSigner.other.token(.identity())
        setup.transport.answer(TestClient.answer(["id_token": "\"\(token)\""]))
        let error = try #require(await exchange(.noneSent))
        #expect(error.code == .exchangeOutcomeUnknown)
        #expect(error.kind == .signInAgain)
        let grant = try #require(error.cause as? UnverifiedGrant)
        #expect(grant.identityToken == token)
        #expect((grant.cause as? AppleIDError)?.code == .keysUnavailable)
    }

    @Test("Without any of Apple's keys the code is not sent, and stays usable")
    func keysFirst() async throws {
        let transport = TestTransport(.status(500))
        let client = AppleIDClient(
            clients: Array(setup.client.clients.values), transport: transport, environment: setup.clock.environment,
            logger: setup.client.logger)
        let error = await failure { () async throws(AppleIDError) in
            _ = try await client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent)
        }
        #expect(error?.code == .keysUnavailable)
        #expect(transport.requests.map(\.url) == ["https://appleid.apple.com/auth/keys"])
        setup.clock.advance(by: 5)
        let token = try TestSigner.shared.token(.identity())
        transport.answer(
            .ok(try TestSigner.shared.keySetJSON()), TestClient.answer(["id_token": "\"\(token)\""]))
        _ = try await client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent)
        #expect(transport.requests.map(\.head.method) == [.get, .get, .post])
    }

    @Test("An archived key set is enough to send a code while Apple's keys are unavailable")
    func archived() async throws {
        let keySet = try TestSigner.shared.keySetJSON()
        let now = setup.clock.now
        let token = try TestSigner.shared.token(.identity())
        let transport = TestTransport(.status(500))
        transport.answer(.status(500), TestClient.answer(["id_token": "\"\(token)\""]))
        let client = AppleIDClient(
            clients: Array(setup.client.clients.values), transport: transport,
            keySetArchive: KeySetArchive(load: { (json: keySet, fetchedAt: now) }, save: { _, _ in }),
            environment: setup.clock.environment, logger: setup.client.logger)
        _ = try await client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent)
        #expect(transport.requests.map(\.head.method) == [.get, .post])
    }
}
