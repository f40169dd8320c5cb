import AppleIDTypes
import Testing

@testable import AppleID

@Suite("A verified identity")
struct VerifiedIdentityTests {
    private let setup: TestClient

    init() throws {
        setup = try TestClient()
    }

    private func identity(
        _ token: String, for audience: ClientID = "com.example.juice", nonce: NonceExpectation? = .issued("n")
    ) async throws -> VerifiedIdentity {
        try await setup.client.identityVerifier.verify(
            token, expecting: IdentityExpectation(audiences: [audience], nonce: nonce))
    }

    @Test("is equal to another one if token, audience and the outcome for the nonce are")
    func equality() async throws {
        let claims: [String: String?] = [
            "nonce": "\"n\"", "aud": #"["com.example.juice","com.example.juice.web"]"#,
        ]
        let token = try TestSigner.shared.token(.identity(claims))
        let other = try TestSigner.shared.token(.identity(claims.merging(["email": "\"x@example.com\""]) { $1 }))
        let first = try await identity(token)
        #expect(try await identity(token) == first)
        #expect(try await identity(token).hashValue == first.hashValue)
        #expect(try await identity(token).claims == first.claims)
        #expect(try await identity(other) != first)
        #expect(try await identity(token, for: "com.example.juice.web") != first)
        #expect(try await identity(token, nonce: nil) != first)
    }

    @Test("doesn't show its claims in descriptions")
    func redaction() async throws {
        let token = try TestSigner.shared.token(
            .identity(["nonce": "\"n\"", "sub": "\"private-sub\"", "email": "\"private@example.com\""]))
        let identity = try await identity(token)
        #expect(identity.subject == "private-sub" && identity.email == "private@example.com")
        var dumped = "\(identity)" + String(reflecting: identity)
        dump(identity, to: &dumped)
        #expect(!dumped.contains("private"))
    }
}
