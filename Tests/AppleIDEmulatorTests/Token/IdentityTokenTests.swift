import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Identity tokens")
struct IdentityTokenTests {
    @Test("the token beside the code has Apple's claims, and c_hash of that code")
    func frontChannel() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.authorize(["nonce": "n/+ 1", "state": "s"])
        let token = try await ReceivedToken(answer["id_token"], from: emulator)
        #expect(Set(token.header.keys) == ["kid", "alg"])
        #expect(token["iss"] == "https://appleid.apple.com")
        #expect(token["aud"] == "com.example.juice.web")
        #expect(token.number("iat") == TestEmulator.start)
        #expect(token.number("exp") == TestEmulator.start + 86_400)
        #expect(token.number("auth_time") == TestEmulator.start)
        #expect(token["nonce"] == "n/+ 1")
        #expect(token["c_hash"] == ReceivedToken.halfHash(try #require(answer["code"] as? String)))
        #expect(token["at_hash"] == nil)
        #expect(answer["state"] as? String == "s")
    }

    @Test("the token of the token endpoint has at_hash, the nonce and the time of the sign-in")
    func backChannel() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.authorize(["nonce": "n"])
        emulator.clock.advance(100)
        let tokens = try await emulator.redeem(try #require(answer["code"] as? String)).json
        let token = try await ReceivedToken(tokens["id_token"], from: emulator)
        #expect(token["at_hash"] == ReceivedToken.halfHash(try #require(tokens["access_token"] as? String)))
        #expect(token["c_hash"] == nil)
        #expect(token["nonce"] == "n")
        #expect(token.number("auth_time") == TestEmulator.start)
        #expect(token.number("iat") == TestEmulator.start + 100)
    }

    @Test("without a nonce or a state in the request, the answer has none")
    func absent() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.authorize()
        #expect(Set(answer.keys) == ["code", "id_token", "user"])
        #expect(try await ReceivedToken(answer["id_token"], from: emulator)["nonce"] == nil)
    }

    @Test("a code alone comes without token")
    func codeAlone() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.authorize(["responseType": "code", "responseMode": "query", "scope": ""])
        #expect(Set(answer.keys) == ["code"])
    }

    @Test("codes and tokens have the form of Apple's")
    func shapes() async throws {
        let emulator = try await TestEmulator()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        let tokens = try await emulator.redeem(code).json
        for (text, prefix) in [
            (code, "c"), (tokens["access_token"] as? String, "a"), (tokens["refresh_token"] as? String, "r"),
        ] {
            let pattern = try Regex("\(prefix)[0-9a-f]{32}\\.[0-9]\\.[a-z]{2,5}\\.[A-Za-z0-9_-]{22}")
            #expect(try pattern.wholeMatch(in: #require(text)) != nil)
        }
    }
}

@Suite("A person as a team sees them")
struct PairwiseIdentityTests {
    private func subject(_ emulator: TestEmulator, _ changes: [String: any Sendable]) async throws -> ReceivedToken {
        try await ReceivedToken(emulator.authorize(changes)["id_token"], from: emulator)
    }

    @Test("has one subject and one relay address for all clients of a team, and others for another team")
    func perTeam() async throws {
        let emulator = try await TestEmulator()
        let web = try await subject(emulator, ["hideEmail": true])
        let app = try await subject(emulator, ["clientID": "com.example.juice", "native": true])
        let soda = try await subject(emulator, ["clientID": "com.example.soda", "native": true, "hideEmail": true])
        let cider = try await subject(emulator, ["clientID": "org.example.cider.web", "hideEmail": true])
        #expect(web["sub"]?.wholeMatch(of: /\d{6}\.[0-9a-f]{32}\.\d{4}/) != nil)
        #expect(web["sub"] == app["sub"])
        #expect(web["sub"] == soda["sub"])
        #expect(web["email"] == soda["email"])
        #expect(web["sub"] != cider["sub"])
        #expect(web["email"] != cider["email"])
    }

    @Test("has the same subject in every run, and a different one from other people")
    func deterministic() async throws {
        let first = try await subject(TestEmulator(), [:])["sub"]
        let second = try await subject(TestEmulator(), [:])["sub"]
        let other = try await subject(TestEmulator(), ["person": "mono"])["sub"]
        #expect(first == second)
        #expect(first != other)
    }
}
