import AccountTokens
import AppleID
import Crypto
import Foundation
import Testing

@Suite("The keys of access tokens")
struct KeyTests {
    @Test("are fetched once for many tokens")
    func once() async throws {
        let house = try TestHouse()
        let verifier = try house.verifier()
        let token = try house.issuer.token()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try await verifier.verify(token) } }
            try await group.waitForAll()
        }
        #expect(house.requests.count == 1)
    }

    @Test("are fetched for an unknown name, but not twice in a minute")
    func unknown() async throws {
        let house = try TestHouse()
        let verifier = try house.verifier()
        _ = try await verifier.verify(house.issuer.token())
        let next = TestIssuer(keyID: "key_2")
        await #expect(throws: AccessTokenError(.unknownKey, "")) { try await verifier.verify(next.token()) }
        #expect(house.requests.count == 2)
        house.answer(200, try TestIssuer.keySet([house.issuer.publicKey, next.publicKey]))
        for name in 0..<50 {
            let flood = TestIssuer(keyID: "flood_\(name)")
            await #expect(throws: AccessTokenError(.keysUnavailable, "")) { try await verifier.verify(flood.token()) }
        }
        #expect(house.requests.count == 2)
        house.advance(by: 60)
        #expect(try await verifier.verify(next.token()).accountID == "acc_1")
        #expect(house.requests.count == 3)
    }

    /// What does not answer the request for the key set.
    struct NoAnswer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let body: String
    }

    @Test(
        "that cannot be had say nothing about the token",
        arguments: [
            NoAnswer(testDescription: "500", status: 500, body: ""),
            NoAnswer(testDescription: "HTML", status: 200, body: "<html>"),
            NoAnswer(testDescription: "no keys", status: 200, body: #"{"keys":[]}"#),
            NoAnswer(
                testDescription: "too long", status: 200,
                body: #"{"keys":[],"x":""# + String(repeating: "x", count: 70_000) + #""}"#),
        ])
    func unavailable(_ answer: NoAnswer) async throws {
        let house = try TestHouse()
        let verifier = try house.verifier()
        house.answer(answer.status, Array(answer.body.utf8))
        let error = await #expect(throws: AccessTokenError.self) { try await verifier.verify(house.issuer.token()) }
        #expect(error?.code == .keysUnavailable)
        #expect(error?.kind == .transient)
    }

    @Test("are not looked for where a redirect leads")
    func redirect() async throws {
        let house = try TestHouse()
        let verifier = try house.verifier()
        house.answer(302, [], headers: [("Location", "https://evil.example/keys")])
        await #expect(throws: AccessTokenError(.keysUnavailable, "")) {
            try await verifier.verify(house.issuer.token())
        }
        #expect(house.requests == [TestIssuer.url + "/.well-known/jwks.json"])
    }

    @Test("serve for a day while the account service is out of reach, and no longer")
    func outage() async throws {
        let house = try TestHouse()
        let verifier = try house.verifier()
        func verify() async throws {
            let now = "\(TestIssuer.issuedAt + 200_000)"
            _ = try await verifier.verify(house.issuer.token(claims: ["exp": now]))
        }
        try await verify()
        house.answer(503, [])
        house.advance(by: 86_400)
        try await verify()
        house.advance(by: 1)
        await #expect(throws: AccessTokenError(.keysUnavailable, "")) { try await verify() }
    }

    /// A key that is published and must not be used; nil takes a member away.
    @Test(
        "are left out when ES256 cannot use them",
        arguments: [
            ["kty": "RSA"], ["crv": "P-384"], ["use": "enc"], ["alg": "ES384"], ["alg": "HS256"], ["d": "AAAA"],
            ["kid": nil], ["x": nil], ["y": "AAAA"],
            // Not on the curve.
            ["x": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"],
        ] as [[String: String?]])
    func unusable(_ changes: [String: String?]) async throws {
        let house = try TestHouse()
        var key = house.issuer.publicKey
        for (name, value) in changes { key[name] = value }
        house.answer(200, try TestIssuer.keySet([key, TestIssuer(keyID: "key_2").publicKey]))
        await #expect(throws: AccessTokenError(.unknownKey, "")) {
            try await house.verifier().verify(house.issuer.token())
        }
    }

    @Test("of one name that differ are both left out")
    func ambiguous() async throws {
        let house = try TestHouse()
        let keys = [
            house.issuer, TestIssuer(keyID: house.issuer.keyID), TestIssuer(keyID: "key_2"),
        ].map(\.publicKey)
        house.answer(200, try TestIssuer.keySet(keys))
        await #expect(throws: AccessTokenError(.unknownKey, "")) {
            try await house.verifier().verify(house.issuer.token())
        }
    }
}
