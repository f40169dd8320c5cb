import AccountTokens
import AppleIDTransport
import Crypto
import Foundation
import HTTPTypes
import Testing

@Suite("The keys of access tokens")
struct KeyTests {
    @Test("are fetched once for many tokens")
    func once() async throws {
        let environment = try TestEnvironment()
        let verifier = try environment.verifier()
        let token = try environment.issuer.token()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try await verifier.verify(token) } }
            try await group.waitForAll()
        }
        #expect(environment.requests.count == 1)
    }

    @Test("are fetched for an unknown key name, but not twice in a minute")
    func unknown() async throws {
        let environment = try TestEnvironment()
        let verifier = try environment.verifier()
        _ = try await verifier.verify(environment.issuer.token())
        let next = TestIssuer(keyID: "key_2")
        await #expect(throws: AccessTokenError(.unknownKey, "")) { try await verifier.verify(next.token()) }
        #expect(environment.requests.count == 2)
        environment.answer(200, try TestIssuer.keySet([environment.issuer.publicKey, next.publicKey]))
        for name in 0..<50 {
            let flood = TestIssuer(keyID: "flood_\(name)")
            await #expect(throws: AccessTokenError(.keysUnavailable, "")) { try await verifier.verify(flood.token()) }
        }
        #expect(environment.requests.count == 2)
        environment.advance(by: 60)
        #expect(try await verifier.verify(next.token()).accountID == "acc_1")
        #expect(environment.requests.count == 3)
    }

    /// A response that brings no key set.
    struct NoAnswer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let body: String
    }

    @Test(
        "that are unavailable are no error of the token",
        arguments: [
            NoAnswer(testDescription: "500", status: 500, body: ""),
            NoAnswer(testDescription: "HTML", status: 200, body: "<html>"),
            NoAnswer(testDescription: "no keys", status: 200, body: #"{"keys":[]}"#),
            NoAnswer(
                testDescription: "too long", status: 200,
                body: #"{"keys":[],"x":""# + String(repeating: "x", count: 70_000) + #""}"#),
        ])
    func unavailable(_ answer: NoAnswer) async throws {
        let environment = try TestEnvironment()
        let verifier = try environment.verifier()
        environment.answer(answer.status, Array(answer.body.utf8))
        let error = await #expect(throws: AccessTokenError.self) {
            try await verifier.verify(environment.issuer.token())
        }
        #expect(error?.code == .keysUnavailable)
        #expect(error?.kind == .transient)
    }

    @Test("are not fetched from where a redirect leads")
    func redirect() async throws {
        let environment = try TestEnvironment()
        let verifier = try environment.verifier()
        environment.answer(302, [], headerFields: [.location: "https://evil.example/keys"])
        await #expect(throws: AccessTokenError(.keysUnavailable, "")) {
            try await verifier.verify(environment.issuer.token())
        }
        #expect(environment.requests == [TestIssuer.url + "/.well-known/jwks.json"])
    }

    @Test("are used for a day while the account service is unreachable, and no longer")
    func outage() async throws {
        let environment = try TestEnvironment()
        let verifier = try environment.verifier()
        func verify() async throws {
            let now = "\(TestIssuer.issuedAt + 200_000)"
            _ = try await verifier.verify(environment.issuer.token(claims: ["exp": now]))
        }
        try await verify()
        environment.answer(503, [])
        environment.advance(by: 86_400)
        try await verify()
        environment.advance(by: 1)
        await #expect(throws: AccessTokenError(.keysUnavailable, "")) { try await verify() }
    }

    /// A key that is published and must not be used; nil takes a member away.
    @Test(
        "are left out if ES256 can't use them",
        arguments: [
            ["kty": "RSA"], ["crv": "P-384"], ["use": "enc"], ["alg": "ES384"], ["alg": "HS256"], ["d": "AAAA"],
            ["kid": nil], ["x": nil], ["y": "AAAA"],
            // Not on the curve.
            ["x": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"],
        ] as [[String: String?]])
    func unusable(_ changes: [String: String?]) async throws {
        let environment = try TestEnvironment()
        var key = environment.issuer.publicKey
        for (name, value) in changes { key[name] = value }
        environment.answer(200, try TestIssuer.keySet([key, TestIssuer(keyID: "key_2").publicKey]))
        await #expect(throws: AccessTokenError(.unknownKey, "")) {
            try await environment.verifier().verify(environment.issuer.token())
        }
    }

    @Test("are both left out if they differ and share a name")
    func ambiguous() async throws {
        let environment = try TestEnvironment()
        let keys = [
            environment.issuer, TestIssuer(keyID: environment.issuer.keyID), TestIssuer(keyID: "key_2"),
        ].map(\.publicKey)
        environment.answer(200, try TestIssuer.keySet(keys))
        await #expect(throws: AccessTokenError(.unknownKey, "")) {
            try await environment.verifier().verify(environment.issuer.token())
        }
    }
}
