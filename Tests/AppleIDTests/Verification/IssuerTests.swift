import AppleIDTypes
import Foundation
import Logging
import Testing

@testable import AppleID

@Suite("Issuers")
struct IssuerTests {
    private func code(_ issuer: String, _ accepted: AcceptedIssuers?) async throws -> AppleIDError.Code? {
        let keys = try KeyCache(fixed: TestSigner.shared.keySetJSON())
        let clock = TestClock()
        let verifier =
            accepted.map { IdentityVerifier(keys: keys, issuers: $0, environment: clock.environment) }
            ?? IdentityVerifier(keys: keys, environment: clock.environment)
        let token = try TestSigner.shared.token(.identity(["iss": "\"\(issuer)\""]))
        return await failure { () async throws(AppleIDError) in
            let identity = try await verifier.verify(
                token, expecting: IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent))
            #expect(identity.claims.issuer == issuer)
        }?.code
    }

    @Test("Apple's second issuer is accepted only by callers that allow it")
    func second() async throws {
        #expect(try await code("https://appleid.apple.com", nil) == nil)
        #expect(try await code("https://appleid.apple.com", .appleAndAccount) == nil)
        #expect(try await code("https://account.apple.com", .appleAndAccount) == nil)
        #expect(try await code("https://account.apple.com", .apple) == .issuerMismatch)
        #expect(try await code("https://account.apple.com", nil) == .issuerMismatch)
    }

    @Test(
        "An issuer that only resembles one of Apple's is refused",
        arguments: [
            "https://account.apple.com/", "http://account.apple.com", "https://ACCOUNT.apple.com", "account.apple.com",
            "https://account.apple.com.example.com", "https://appleid.apple.com ", "",
        ])
    func alike(issuer: String) async throws {
        #expect(try await code(issuer, .appleAndAccount) == .issuerMismatch)
    }

    @Test("A notification's issuer follows the same setting")
    func notification() async throws {
        let keys = try KeyCache(fixed: TestSigner.shared.keySetJSON())
        let payload = try TestSigner.shared.token(.notification(["iss": "\"https://account.apple.com\""]))
        let expectation = NotificationExpectation(audiences: [TestClaims.audience])
        let environment = TestClock().environment
        _ = try await NotificationVerifier(keys: keys, issuers: .appleAndAccount, environment: environment).verify(
            payload, expecting: expectation)
        await #expect(throws: AppleIDError(.issuerMismatch, "")) {
            try await NotificationVerifier(keys: keys, environment: environment).verify(
                payload, expecting: expectation)
        }
    }

    @Test("The verifiers of a client accept the issuers of its server")
    func client() async throws {
        let server = AppleServer.apple.accepting(.appleAndAccount)
        #expect(server.isApple)
        let transport = TestTransport(.status(500))
        let keys = try TestSigner.shared.keySetJSON()
        let clock = TestClock()
        let client = AppleIDClient(
            server: server, clients: [], transport: transport,
            keySetArchive: KeySetArchive(
                load: { (json: keys, fetchedAt: clock.environment.now()) }, save: { _, _ in }),
            environment: clock.environment, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let token = try TestSigner.shared.token(.identity(["iss": "\"https://account.apple.com\""]))
        let identity = try await client.identityVerifier.verify(
            token, expecting: IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent))
        #expect(identity.claims.issuer == "https://account.apple.com")
    }
}
