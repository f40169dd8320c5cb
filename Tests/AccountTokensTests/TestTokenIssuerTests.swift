import AccountTokens
import AccountTokensTesting
import Foundation
import Testing

@Suite("The issuer for tests of other services")
struct TestTokenIssuerTests {
    @Test("makes tokens that its verifier accepts, with the requested claims")
    func good() async throws {
        let guide = { () async throws in
            // guide
            let issuer = TestTokenIssuer()
            let verifier = try issuer.verifier()
            let token = try issuer.token(account: "acc_1")
            #expect(try await verifier.verify(token).accountID == "acc_1")
            // end
        }
        try await guide()
        let issuer = TestTokenIssuer()
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        let later = try issuer.verifier(now: { time.addingTimeInterval(100) })
        let verified = try await later.verify(
            issuer.token(
                account: "acc_2", session: "ses_2", client: "com.example.juice", issuedAt: time,
                authenticatedAt: time.addingTimeInterval(-100)))
        #expect(verified.accountID == "acc_2")
        #expect(verified.sessionID == "ses_2")
        #expect(verified.clientID == "com.example.juice")
        #expect(verified.issuedAt == time)
        #expect(verified.expiresAt == time.addingTimeInterval(600))
        #expect(verified.authenticatedAt == time.addingTimeInterval(-100))
    }

    @Test("gives every token an identifier of its own, also within a second")
    func identifiers() async throws {
        let issuer = TestTokenIssuer()
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        let verifier = try issuer.verifier(now: { time })
        var identifiers: Set<String> = []
        for _ in 0..<3 {
            let token = try issuer.token(account: "acc_1", issuedAt: time)
            identifiers.insert(try await verifier.verify(token).tokenID)
        }
        #expect(identifiers.count == 3)
    }

    @Test("makes tokens that are refused: for another service, too old, or of another issuer")
    func bad() async throws {
        let issuer = TestTokenIssuer()
        let verifier = try issuer.verifier()
        let elsewhere = try issuer.token(audience: "https://elsewhere.example.com")
        await #expect(throws: AccessTokenError(.audienceMismatch, "")) { try await verifier.verify(elsewhere) }
        let old = try issuer.token(issuedAt: Date(timeIntervalSinceNow: -3_600))
        await #expect(throws: AccessTokenError(.tokenExpired, "")) { try await verifier.verify(old) }
        let foreign = try TestTokenIssuer().token()
        await #expect(throws: AccessTokenError(.signatureInvalid, "")) { try await verifier.verify(foreign) }
    }

    @Test("can be unreachable, and counts the requests for its keys")
    func outage() async throws {
        let issuer = TestTokenIssuer()
        let verifier = try issuer.verifier()
        issuer.transport.isReachable = false
        let token = try issuer.token()
        await #expect(throws: AccessTokenError(.keysUnavailable, "")) { try await verifier.verify(token) }
        #expect(issuer.transport.count > 0)
        issuer.transport.isReachable = true
        #expect(try await issuer.verifier().verify(token).accountID == "acc_1")
    }
}
