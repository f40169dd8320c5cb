import Crypto
import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Acceptance: tokens")
struct TokenAcceptanceTests {
    private func code(_ emulator: TestEmulator, _ changes: [String: any Sendable] = [:]) async throws -> String {
        try #require(try await emulator.authorize(changes)["code"] as? String)
    }

    @Test("6. A code used twice is an invalid grant")
    func codeTwice() async throws {
        let emulator = try await TestEmulator()
        let code = try await code(emulator)
        let first = try await emulator.redeem(code)
        #expect(first.status == 200)
        let second = try await emulator.redeem(code)
        #expect(second.status == 400)
        #expect(second.error == "invalid_grant")
        let refreshToken = try #require(try first.json["refresh_token"] as? String)
        #expect(try await emulator.refresh(refreshToken).status == 200, "what the first use gave stays good")
    }

    @Test("6. A code is good for 300 seconds, and an invalid grant at 301", arguments: [(300, true), (301, false)])
    func codeAge(_ age: Int64, _ isGood: Bool) async throws {
        let emulator = try await TestEmulator()
        let code = try await code(emulator)
        emulator.clock.advance(age)
        let answer = try await emulator.redeem(
            code, ["client_secret": try emulator.secret(at: TestEmulator.start + age)])
        #expect(answer.status == (isGood ? 200 : 400))
        #expect(answer.error == (isGood ? nil : "invalid_grant"))
    }

    @Test("6. A code of one client is an invalid grant for another, of the same team also")
    func codeOfAnother() async throws {
        let emulator = try await TestEmulator()
        let code = try await code(emulator)
        let bundle = "com.example.juice"
        let theirs: [String: String?] = [
            "client_id": bundle, "client_secret": try emulator.secret { $0.claims["sub"] = bundle },
        ]
        #expect(try await emulator.redeem(code, theirs).error == "invalid_grant")
        let native = try await self.code(emulator, ["clientID": bundle, "native": true])
        #expect(try await emulator.redeem(native).error == "invalid_grant")
        #expect(try await emulator.redeem(code).status == 200, "its own client still gets in")
    }

    @Test(
        "7. A client secret may expire 15,777,000 seconds ahead, and not one more",
        arguments: [(15_777_000, true), (15_777_001, false)] as [(Int64, Bool)])
    func secretLifetime(_ ahead: Int64, _ isGood: Bool) async throws {
        let emulator = try await TestEmulator()
        let secret = try emulator.secret { $0.claims["exp"] = TestEmulator.start + ahead }
        let answer = try await emulator.redeem(code(emulator), ["client_secret": secret])
        #expect(answer.status == (isGood ? 200 : 400))
        #expect(answer.error == (isGood ? nil : "invalid_client"))
    }

    @Test("8. A client secret with a DER signature is an invalid client")
    func derSignature() async throws {
        let emulator = try await TestEmulator()
        let secret = try emulator.secret { $0.isDER = true }
        let parts = secret.split(separator: ".").map(String.init)
        let signature = try P256.Signing.ECDSASignature(derRepresentation: ReceivedToken.decoded(parts[2]))
        let key = try P256.Signing.PrivateKey(pemRepresentation: TestPortal.key.privateKey).publicKey
        #expect(
            key.isValidSignature(signature, for: Data((parts[0] + "." + parts[1]).utf8)),
            "it is good but for its form")
        let answer = try await emulator.redeem(code(emulator), ["client_secret": secret])
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_client")
        let raw = [parts[0], parts[1], ClientSecret.encoded(signature.rawRepresentation)].joined(separator: ".")
        #expect(try await emulator.redeem(code(emulator), ["client_secret": raw]).status == 200)
    }

    @Test("9. A code asked for with a PKCE challenge is not redeemed without the verifier, nor with another")
    func proofKey() async throws {
        let emulator = try await TestEmulator()
        let verifier = String(repeating: "Aa0-._~", count: 8)
        let challenge = ClientSecret.encoded(Data(SHA256.hash(data: Data(verifier.utf8))))
        let path = TestEmulator.authorizePath(["code_challenge": challenge, "code_challenge_method": "S256"])
        let code = try #require(try await SheetVisit(emulator: emulator).walk(path)["code"])
        for wrong in [nil, challenge, verifier + "x"] as [String?] {
            let answer = try await emulator.redeem(code, ["code_verifier": wrong])
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_grant")
        }
        #expect(try await emulator.redeem(code, ["code_verifier": verifier]).status == 200)
    }

    @Test("11. A token of a new key verifies after the keys were fetched once more, and one of the old key still does")
    func rotation() async throws {
        let emulator = try await TestEmulator()
        let cached = try await PublishedKeys(from: emulator)
        let old = try #require(try await emulator.authorize()["id_token"] as? String)
        #expect(try cached.verify(old))
        #expect(try await emulator.call("/emulator/keys/rotate", [:]).status == 200)
        let new = try #require(try await emulator.authorize()["id_token"] as? String)
        #expect(try cached.verify(new) == false, "its key is one that the cache has not")
        let refreshed = try await PublishedKeys(from: emulator)
        #expect(refreshed.names.isStrictSuperset(of: cached.names))
        #expect(try refreshed.verify(new))
        #expect(try refreshed.verify(old))
    }

    @Test("12. Revoking garbage answers 200, and a bad client with a live token gets 400 and invalid_client")
    func revocation() async throws {
        let emulator = try await TestEmulator()
        let garbage = try await emulator.revoke("garbage")
        #expect(garbage.status == 200)
        #expect(garbage.text.isEmpty)
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        let bad: [[String: String?]] = [
            ["client_secret": "x.y.z"], ["client_id": "com.example.nobody"], ["client_id": nil, "client_secret": nil],
            ["client_secret": try emulator.secret { $0.claims["sub"] = "com.example.juice" }],
            ["client_secret": try emulator.secret { $0.key = TestPortal.otherTeamKey }],
        ]
        for changes in bad {
            let answer = try await emulator.revoke(token, changes)
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_client", "\(answer.text)")
        }
        #expect(try await emulator.refresh(token).status == 200, "nothing was revoked")
    }
}
