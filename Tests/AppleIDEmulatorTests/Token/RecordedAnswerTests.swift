import HTTPTypes
import Testing

@testable import AppleIDEmulator

/// Apple's answers as other projects' tests and reports show them, word for word.
@Suite("The token endpoint answers as recorded")
struct RecordedAnswerTests {
    private static let nonsense: [String: String?] = ["client_id": "nobody", "client_secret": "nonsense"]

    private func emulator(_ change: (inout Behaviour) -> Void = { _ in }) async throws -> TestEmulator {
        try await TestEmulator { change(&$0.behaviour) }
    }

    private func grant(_ description: String) -> String {
        #"{"error":"invalid_grant","error_description":"\#(description)"}"#
    }

    @Test("of a nonsense client, secret and code, the code is checked first")
    func nonsenseCode() async throws {
        let answer = try await emulator().redeem("nonsense", Self.nonsense)
        #expect(answer.status == 400)
        #expect(answer.text == grant("The code has expired or has been revoked."))
        let old = try await emulator({ $0.firstCheck = .client }).redeem("nonsense", Self.nonsense)
        #expect(old.text == #"{"error":"invalid_client"}"#, "as until December 2022")
    }

    @Test("of a nonsense client and refresh token, or an access token in its place, the token is checked first")
    func nonsenseRefresh() async throws {
        for isOld in [false, true] {
            let emulator = try await TestEmulator { if isOld { $0.behaviour.firstCheck = .client } }
            let access = try #require(try await emulator.tokens()["access_token"] as? String)
            for token in ["nonsense", access] {
                let form: [String: String?] = ["grant_type": "refresh_token", "refresh_token": token]
                let answer = try await emulator.redeem("", form.merging(Self.nonsense) { $1 })
                let text = isOld ? #"{"error":"invalid_client"}"# : grant("The token has expired or has been revoked.")
                #expect(answer.text == text)
                let known = try await emulator.redeem("", form)
                #expect(known.text == grant("The token has expired or has been revoked."))
            }
        }
    }

    @Test("a live code or refresh token still needs its client and a good secret")
    func live() async throws {
        let emulator = try await emulator()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        let refused = try await emulator.redeem(code, Self.nonsense)
        #expect(refused.text == #"{"error":"invalid_client"}"#)
        let tokens = try await emulator.redeem(code).json
        let refresh: [String: String?] = [
            "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"] as? String,
        ]
        let refusedAgain = try await emulator.redeem("", refresh.merging(Self.nonsense) { $1 })
        #expect(refusedAgain.text == #"{"error":"invalid_client"}"#)
        #expect(try await emulator.redeem("", refresh).status == 200)
    }

    @Test("revoking a nonsense token of a nonsense client is 200 with an empty body")
    func nonsenseRevocation() async throws {
        let answer = try await emulator().revoke("nonsense", Self.nonsense)
        #expect(answer.status == 200)
        #expect(answer.text.isEmpty)
        let old = try await emulator({ $0.firstCheck = .client }).revoke("nonsense", Self.nonsense)
        #expect(old.status == 400)
        #expect(old.text == #"{"error":"invalid_client"}"#)
        let refused = try await emulator({ $0.unknownTokenRevocation = .invalidGrant }).revoke(
            "nonsense", Self.nonsense)
        #expect(refused.error == "invalid_grant")
    }

    @Test("a wrong redirect URI is refused with Apple's text, and a header has the reason")
    func redirectURI() async throws {
        let emulator = try await emulator()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        let answer = try await emulator.redeem(code, ["redirect_uri": "https://other.example.com/callback"])
        #expect(answer.status == 400)
        #expect(
            answer.text
                == grant("redirect_uri mismatch. The code was not issued to https://other.example.com/callback."))
        let reason = try #require(answer.headers[.emulatorReason])
        #expect(reason.contains("not the one of the authorization request"))
        let log = try await emulator.get("/emulator/requests").text
        #expect(log.contains(reason))
        #expect(!log.contains("other.example.com"), "no value that a client sent")
        let missing = try await emulator.redeem(code, ["redirect_uri": nil])
        #expect(missing.error == "invalid_grant")
        #expect(missing.headers[.emulatorReason]?.contains("is missing") == true)
    }

    @Test("a used code, and the code of another client, are refused with Apple's texts")
    func otherClient() async throws {
        let emulator = try await emulator()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        let secret = try emulator.secret { $0.claims["sub"] = "com.example.juice" }
        let other: [String: String?] = ["client_id": "com.example.juice", "client_secret": secret]
        let mismatch = try await emulator.redeem(code, other)
        #expect(mismatch.text == grant("client_id mismatch. The code was not issued to com.example.juice."))
        #expect(try await emulator.redeem(code).status == 200)
        let again = try await emulator.redeem(code)
        #expect(again.text == grant("The code has already been used."))
        #expect(try await emulator.redeem(code, Self.nonsense).text == again.text, "whoever sends it")
    }

    @Test("a nonsense client that requests a token for itself is refused as a client")
    func nonsenseClient() async throws {
        let form: [String: String?] = ["grant_type": "client_credentials", "scope": "user.migration", "code": nil]
        let answer = try await emulator().redeem("", form.merging(Self.nonsense) { $1 })
        #expect(answer.text == #"{"error":"invalid_client"}"#)
    }
}
