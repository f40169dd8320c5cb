import AppleIDTypes
import CryptoExtras
import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Faults in signed tokens")
struct TokenFaultTests {
    /// Header and claims of a token that need not be good.
    private func parts(_ token: (any Sendable)?) throws -> (
        header: [String: any Sendable], claims: [String: any Sendable]
    ) {
        let parts = try #require(token as? String).split(separator: ".").map(String.init)
        let objects = try parts.prefix(2).map {
            try #require(try JSONSerialization.jsonObject(with: ReceivedToken.decoded($0)) as? [String: any Sendable])
        }
        return (objects[0], objects[1])
    }

    /// Whether its signature is good under the one key of the emulator, whatever `kid` says.
    private func isSigned(_ token: (any Sendable)?, by emulator: TestEmulator) throws -> Bool {
        let parts = try #require(token as? String).split(separator: ".").map(String.init)
        let key = try #require(emulator.emulator.core.signingKeys.first)
        return try _RSA.Signing.PublicKey(n: Data(key.modulus), e: Data(key.exponent)).isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: try ReceivedToken.decoded(parts[2])),
            for: Data((parts[0] + "." + parts[1]).utf8), padding: .insecurePKCS1v1_5)
    }

    @Test("a signature can be wrong, at the sheet or at the token endpoint", arguments: ["authorize", "token"])
    func signature(_ endpoint: String) async throws {
        let emulator = try await TestEmulator()
        try await emulator.fault("wrong-signature", ["endpoint": endpoint, "times": 1])
        let answer = try await emulator.authorize()
        #expect(try isSigned(answer["id_token"], by: emulator) == (endpoint != "authorize"))
        let tokens = try await emulator.redeem(try #require(answer["code"] as? String)).json
        #expect(try isSigned(tokens["id_token"], by: emulator) == (endpoint != "token"))
        #expect(try isSigned(try await emulator.tokens()["id_token"], by: emulator))
    }

    @Test("a token can name an unpublished key")
    func unknownKey() async throws {
        let emulator = try await TestEmulator()
        try await emulator.fault("unknown-kid", ["endpoint": "authorize"])
        let token = try await emulator.authorize()["id_token"]
        let kid = try #require(try parts(token).header["kid"] as? String)
        #expect(try await !emulator.get("/auth/keys").text.contains(kid))
        #expect(try isSigned(token, by: emulator))
    }

    @Test("claims can be wrong under a valid signature")
    func claims() async throws {
        let emulator = try await TestEmulator()
        let good = try parts(try await emulator.authorize(["nonce": "n-1"])["id_token"]).claims
        for (fault, claim) in [
            ("expired-token", "exp"), ("other-audience", "aud"), ("other-issuer", "iss"), ("other-nonce", "nonce"),
        ] {
            try await emulator.fault(fault, ["times": 1])
            let token = try await emulator.authorize(["nonce": "n-1"])["id_token"]
            #expect(try isSigned(token, by: emulator))
            let bad = try parts(token).claims
            #expect("\(try #require(bad[claim]))" != "\(try #require(good[claim]))", "\(fault)")
            if claim == "exp" { #expect(try #require(bad["exp"] as? Int) < Int(TestEmulator.start)) }
        }
    }

    @Test("a fault makes the issuer wrong also when tokens come from account.apple.com")
    func issuer() async throws {
        let emulator = try await TestEmulator { $0.behaviour.tokenIssuer = .accountDomain }
        try await emulator.fault("other-issuer", ["times": 1])
        let token = try await emulator.authorize()["id_token"]
        #expect(try parts(token).claims["iss"] as? String == "https://appleid.example.com")
    }

    @Test("the sheet's pages hand out the faulty tokens, too")
    func pages() async throws {
        let emulator = try await TestEmulator()
        try await emulator.fault("wrong-signature", ["endpoint": "authorize"])
        let page = try await emulator.get(TestEmulator.authorizePath()).text
        let id = try #require(page.firstMatch(of: #/name="request" value="([^"]+)"/#)?.1)
        let answer = try await emulator.post(
            "/auth/authorize/decision",
            form: [("request", String(id)), ("person", "johnny"), ("decision", "continue")])
        let token = try #require(answer.text.firstMatch(of: #/name="id_token" value="([^"]+)"/#)?.1)
        #expect(try !isSigned(String(token), by: emulator))
    }

    @Test("a notification can be delivered twice, with one id")
    func duplicate() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        try await emulator.fault("duplicate", ["times": 1])
        try await emulator.notify()
        try await emulator.notify()
        for _ in 0..<3 { try await emulator.emulator.deliverNotifications() }
        let payloads = try app.payloads
        #expect(payloads.count == 3)
        #expect(payloads[0] == payloads[1])
        #expect(payloads[0] != payloads[2])
        #expect(try await emulator.notificationStates == ["delivered", "delivered"])
    }

    @Test("notifications can be delivered out of order")
    func outOfOrder() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        try await emulator.fault("out-of-order", ["times": 1])
        let first = try await emulator.notify()
        try await emulator.emulator.deliverNotifications()
        #expect(app.received.isEmpty)
        #expect(try await emulator.notificationStates == ["held"])
        let second = try await emulator.notify()
        for _ in 0..<2 { try await emulator.emulator.deliverNotifications() }
        let ids = try app.payloads.map { try parts($0).claims["jti"] as? String }
        #expect(ids == [second, first])
    }

    @Test("a notification's signature can be wrong, or its key unknown", arguments: ["wrong-signature", "unknown-kid"])
    func notification(_ fault: String) async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        try await emulator.fault(fault, ["endpoint": "notifications"])
        try await emulator.notify()
        try await emulator.emulator.deliverNotifications()
        let payload = try #require(try app.payloads.first)
        let kid = try parts(payload).header["kid"] as? String
        let isKnown = kid == emulator.emulator.core.signingKeys[0].id.rawValue
        #expect(isKnown == (fault == "wrong-signature"))
        #expect(try isSigned(payload, by: emulator) == (fault == "unknown-kid"))
        #expect(try isSigned(try await emulator.authorize()["id_token"], by: emulator))
    }
}
