import AccountTokens
import Foundation
import Testing

@Suite("The verifier of access tokens")
struct AccessTokenVerifierTests {
    @Test("reads the claims of a valid token")
    func good() async throws {
        let environment = try TestEnvironment()
        let token = try await environment.verifier().verify(environment.issuer.token())
        #expect(token.accountID == "acc_1")
        #expect(token.sessionID == "ses_1")
        #expect(token.clientID == "com.example.juice")
        #expect(token.tokenID == "one")
        #expect(token.issuedAt == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(token.expiresAt == Date(timeIntervalSince1970: 1_800_000_600))
        #expect(token.authenticatedAt == Date(timeIntervalSince1970: 1_799_999_900))
    }

    @Test(
        "allows clocks to differ by a minute",
        arguments: [["exp": "1799999941"], ["iat": "1800000060"], ["auth_time": "1800000060"]])
    func leeway(_ claims: [String: String]) async throws {
        let environment = try TestEnvironment()
        let token = try environment.issuer.token(claims: claims.mapValues { $0 })
        _ = try await environment.verifier().verify(token)
    }

    @Test("refuses a token ten minutes and the leeway after its issue, and not earlier")
    func end() async throws {
        let environment = try TestEnvironment()
        let verifier = try environment.verifier()
        let token = try environment.issuer.token()
        environment.advance(by: 659)
        _ = try await verifier.verify(token)
        environment.advance(by: 1)
        await #expect(throws: AccessTokenError(.tokenExpired, "")) { try await verifier.verify(token) }
    }

    @Test("refuses a token whose authentication is older than the caller allows")
    func age() async throws {
        let environment = try TestEnvironment()
        let verifier = try environment.verifier()
        let token = try environment.issuer.token()
        _ = try await verifier.verify(token, authenticatedWithin: .seconds(100))
        await #expect(throws: AccessTokenError(.authenticationTooOld, "")) {
            try await verifier.verify(token, authenticatedWithin: .seconds(99))
        }
    }

    @Test("accepts an issuer on this machine or with https, and no empty audience")
    func configuration() throws {
        let environment = try TestEnvironment()
        for issuer in ["https://accounts.example.com/", "http://localhost:4000", "http://127.0.0.1:4000"] {
            _ = try environment.verifier(issuer: issuer)
        }
        for issuer in ["", "accounts.example.com", "http://accounts.example.com", "https://accounts.example.com/path"] {
            #expect(throws: AccessTokenError(.invalidConfiguration, "")) { try environment.verifier(issuer: issuer) }
        }
        #expect(throws: AccessTokenError(.invalidConfiguration, "")) { try environment.verifier(audience: "") }
    }

    @Test("throws errors without parts of the token or the person")
    func discretion() async throws {
        let environment = try TestEnvironment()
        let token = try environment.issuer.token(claims: ["aud": #""elsewhere""#])
        let error = await #expect(throws: AccessTokenError.self) { try await environment.verifier().verify(token) }
        #expect(error?.description == "audience_mismatch: the audience is not https://api.example.com")
    }
}
