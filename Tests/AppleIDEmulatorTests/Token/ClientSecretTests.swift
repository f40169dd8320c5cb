import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The client secret")
struct ClientSecretTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let reason: String?
        let change: @Sendable (inout ClientSecret) -> Void
        var testDescription: String { name }

        init(_ name: String, _ reason: String?, _ change: @escaping @Sendable (inout ClientSecret) -> Void) {
            self.name = name
            self.reason = reason
            self.change = change
        }
    }

    static let now = TestEmulator.start

    static let cases = [
        Case("as it should be", nil) { _ in },
        Case("audience in an array of one", nil) { $0.claims["aud"] = ["https://appleid.apple.com"] },
        Case("six months", nil) { $0.claims["exp"] = now + 15_777_000 },
        Case("six months and a second", "at most 15777000") { $0.claims["exp"] = now + 15_777_001 },
        Case("clock a minute ahead", nil) { $0.claims["iat"] = now + 60 },
        Case("clock two minutes ahead", "iat lies in the future") { $0.claims["iat"] = now + 120 },
        Case("no iat", "iat is missing") { $0.claims["iat"] = nil },
        Case("no exp", "exp is missing") { $0.claims["exp"] = nil },
        Case("exp as text", "exp is missing or no number") { $0.claims["exp"] = "\(now + 60)" },
        Case("exp beyond all time", "exp is missing or no number") { $0.claims["exp"] = Int64.max },
        Case("exp before all time", "exp is missing or no number") { $0.claims["exp"] = Int64.min },
        Case("expired this second", "it has expired") { $0.claims["exp"] = now },
        Case("another algorithm", "alg must be ES256") { $0.header["alg"] = "RS256" },
        Case("no algorithm", "alg must be ES256") { $0.header["alg"] = "none" },
        Case("no kid", "kid is missing") { $0.header["kid"] = nil },
        Case("unknown kid", "no key has this kid") { $0.header["kid"] = "KEYNOBODY0" },
        Case("other team's key", "belongs to another team") {
            $0.header["kid"] = TestPortal.otherTeamKey.id.rawValue
            $0.key = TestPortal.otherTeamKey
        },
        Case("other group's key", "another group of apps") {
            $0.header["kid"] = TestPortal.otherGroupKey.id.rawValue
            $0.key = TestPortal.otherGroupKey
        },
        Case("signed with another key", "not valid under the key") { $0.key = TestPortal.otherTeamKey },
        Case("DER signature", "must be 64 bytes") { $0.isDER = true },
        Case("issuer is the client", "iss must be the Team ID") { $0.claims["iss"] = "com.example.juice.web" },
        Case("no issuer", "iss must be the Team ID") { $0.claims["iss"] = nil },
        Case("another subject", "sub must equal client_id") { $0.claims["sub"] = "com.example.juice" },
        Case("subject with team prefix", "sub must equal client_id") {
            $0.claims["sub"] = "JUICETEAM1.com.example.juice.web"
        },
        Case("no audience", "aud must be") { $0.claims["aud"] = nil },
        Case("another audience", "aud must be") { $0.claims["aud"] = "https://appleid.apple.com/" },
        Case("two audiences", "aud must be") { $0.claims["aud"] = ["https://appleid.apple.com", "x"] },
    ]

    @Test("is held to every rule, and a header and the request log say which one was broken", arguments: cases)
    func rules(_ example: Case) async throws {
        let emulator = try await TestEmulator()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        let answer = try await emulator.redeem(code, ["client_secret": emulator.secret(example.change)])
        if let reason = example.reason {
            #expect(answer.status == 400)
            #expect(answer.text == #"{"error":"invalid_client"}"#, "as Apple says it")
            #expect(try #require(answer.headers[.emulatorReason]).contains(reason))
            let log = try await emulator.get("/emulator/requests").json["requests"] as? [[String: any Sendable]]
            #expect(log?.last?["reason"] as? String == answer.headers[.emulatorReason])
        } else {
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.headers[.emulatorReason] == nil)
        }
    }

    @Test(
        "is refused if it isn't a JWT",
        arguments: ["x", "a.b", "a.b.c.d", "..", "e30.e30.", "e30=.e30.AA", "W10.e30.AA", "eyJhIjoxLCJhIjoyfQ.e30.AA"])
    func malformed(_ secret: String) async throws {
        let emulator = try await TestEmulator()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        #expect(try await emulator.redeem(code, ["client_secret": secret]).error == "invalid_client")
    }
}

@Suite("PKCE")
struct PKCETests {
    /// The example of RFC 7636, Appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test(
        "a challenge requires its verifier",
        arguments: [
            (verifier, nil), (nil, "invalid_grant"), (verifier + "x", "invalid_grant"), (challenge, "invalid_grant"),
        ]
            as [(String?, String?)])
    func calledFor(_ verifier: String?, _ error: String?) async throws {
        let emulator = try await TestEmulator()
        let page = try await emulator.get(
            TestEmulator.authorizePath(["code_challenge": Self.challenge, "code_challenge_method": "S256"]))
        let id = String(try #require(page.text.firstMatch(of: /name="request" value="([^"]+)"/)).1)
        let delivery = try await emulator.post(
            "/auth/authorize/decision", form: [("request", id), ("person", "johnny"), ("decision", "continue")])
        let code = String(try #require(delivery.text.firstMatch(of: /name="code" value="([^"]+)"/)).1)
        #expect(try await emulator.redeem(code, ["code_verifier": verifier]).error == error)
    }
}
