import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Quirks")
struct QuirkTests {
    /// Makes an emulator with a changed behaviour, and a refresh token of Johnny's.
    private func signedIn(
        _ change: (inout Behaviour) -> Void = { _ in }
    ) async throws -> (TestEmulator, refreshToken: String) {
        let emulator = try await TestEmulator { change(&$0.behaviour) }
        return (emulator, try await emulator.tokens()["refresh_token"] as? String ?? "")
    }

    @Test("all quirks are off at the start, and a call switches them by name")
    func control() async throws {
        let emulator = try await TestEmulator()
        #expect(try await emulator.get("/emulator/quirks").text == #"{"quirks":[]}"#)
        let names = ["refresh-without-id-token", "capability-off"]
        let changed = try await emulator.call("/emulator/quirks", ["quirks": names])
        #expect(try changed.json["quirks"] as? [String] == names.sorted())
        let unknown = try await emulator.call("/emulator/quirks", ["quirks": ["capability-off", "mood"]])
        #expect(unknown.status == 400)
        #expect(unknown.error == "invalid_request")
        #expect(try await emulator.get("/emulator/quirks").json["quirks"] as? [String] == names.sorted())
        #expect(try await emulator.call("/emulator/quirks", ["quirks": [String]()]).text == #"{"quirks":[]}"#)
        for body in [["quirks": "capability-off"], ["quirks": [1]], [:], ["quirk": [String]()]]
            as [[String: any Sendable]]
        {
            #expect(try await emulator.call("/emulator/quirks", body).status == 400)
        }
    }

    @Test("every quirk can be set by the name that it reports")
    func names() throws {
        #expect(Set(BehaviourTable.quirks).count == BehaviourTable.quirks.count)
        for quirk in BehaviourTable.quirks { #expect(try Behaviour(quirks: [quirk]).quirks == [quirk]) }
        #expect(throws: Behaviour.UnknownQuirk.self) { try Behaviour(quirks: [""]) }
    }

    @Test("by default, a refresh token is good many times a day")
    func unlimited() async throws {
        let (emulator, token) = try await signedIn()
        for _ in 0..<3 { #expect(try await emulator.refresh(token).status == 200) }
    }

    @Test("throttled, a refresh token is good once in 24 hours, and the refusal says when again")
    func throttled() async throws {
        let (emulator, token) = try await signedIn { $0.limitsRefreshToOnceADay = true }
        #expect(try await emulator.refresh(token).status == 200)
        emulator.clock.advance(1_000)
        let again = try await emulator.refresh(token, at: TestEmulator.start + 1_000)
        #expect(again.status == 429)
        #expect(again.error == "temporarily_unavailable")
        #expect(again.headers[.retryAfter] == "85400")
        let other = try #require(try await emulator.tokens(at: TestEmulator.start + 1_000)["refresh_token"] as? String)
        #expect(try await emulator.refresh(other, at: TestEmulator.start + 1_000).status == 200, "each counts alone")
        emulator.clock.advance(85_400)
        #expect(try await emulator.refresh(token, at: TestEmulator.start + 86_400).status == 200)
    }

    @Test("a refresh can come without an identity token")
    func withoutIdentityToken() async throws {
        let (emulator, token) = try await signedIn { $0.refreshOmitsIdentityToken = true }
        let answer = try await emulator.refresh(token)
        #expect(answer.status == 200)
        #expect(Set(try answer.json.keys) == ["access_token", "token_type", "expires_in"])
    }

    @Test("Apple's other error codes can be used for a dead refresh token and a wrong redirect URI")
    func words() async throws {
        let emulator = try await TestEmulator {
            $0.behaviour.deadRefreshToken = .invalidRequest
            $0.behaviour.redirectMismatch = .invalidClient
        }
        let dead = try await emulator.refresh("r0")
        #expect(dead.status == 400)
        #expect(dead.error == "invalid_request")
        let code = try #require(try await emulator.authorize()["code"] as? String)
        #expect(try await emulator.redeem(code, ["redirect_uri": "https://a.example/"]).error == "invalid_client")
    }

    @Test("the name of a former quirk is accepted, and changes nothing")
    func formerNames() async throws {
        let emulator = try await TestEmulator()
        for name in BehaviourTable.formerQuirks {
            #expect(!BehaviourTable.quirks.contains(name))
            let answer = try await emulator.call("/emulator/quirks", ["quirks": [name, "one-key"]])
            #expect(answer.text == #"{"quirks":["one-key"]}"#)
        }
        let snapshot = try await emulator.get("/emulator/snapshot").text
        let former = try #require(BehaviourTable.formerQuirks.first)
        let loaded = try await emulator.send(
            .post, "/emulator/snapshot", headers: ["content-type": "application/json"],
            body: Array(snapshot.replacing(#"["one-key"]"#, with: #"["\#(former)","one-key"]"#).utf8))
        #expect(loaded.status == 204, "\(loaded.text)")
    }

    @Test(
        "without the capability, every grant type is refused as unauthorized_client",
        arguments: ["authorization_code", "refresh_token", "client_credentials"])
    func capability(_ grant: String) async throws {
        let (emulator, token) = try await signedIn()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        _ = try await emulator.call("/emulator/quirks", ["quirks": ["capability-off"]])
        let changes = ["grant_type": grant, "refresh_token": token, "scope": "user.migration"]
        let answer = try await emulator.redeem(code, changes)
        #expect(answer.status == 400)
        #expect(answer.error == "unauthorized_client")
    }

    @Test("a revocation can end one session alone, and leave the consent")
    func sessionOnly() async throws {
        let (emulator, token) = try await signedIn { $0.revocationEnds = .session }
        let other = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(try await emulator.revoke(token).status == 200)
        #expect(try await emulator.refresh(token).error == "invalid_grant")
        #expect(try await emulator.refresh(other).status == 200)
        #expect(try await emulator.authorize()["user"] == nil)
    }

    @Test("a revocation of an unknown token can be refused")
    func unknownToken() async throws {
        let (emulator, token) = try await signedIn { $0.unknownTokenRevocation = .invalidGrant }
        let answer = try await emulator.revoke("garbage")
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_grant")
        #expect(try await emulator.revoke(token).status == 200)
        #expect(try await emulator.revoke(token).error == "invalid_grant", "nor what is revoked already")
    }
}
