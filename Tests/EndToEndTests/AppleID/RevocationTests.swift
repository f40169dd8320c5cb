import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("A revocation at the emulator")
struct RevocationTests {
    @Test("ends the authorization by either token: the refresh token is dead, and the next sign-in is a first one")
    func ends() async throws {
        for byAccessToken in [true, false] {
            let apple = try await AppleSide()
            let grant = try await apple.signIn()
            let refreshToken = try #require(grant.refreshToken)
            let accepted =
                byAccessToken
                ? try await apple.client.revoke(grant.accessToken, client: "com.example.juice")
                : try await apple.client.revoke(refreshToken, client: "com.example.juice")
            #expect(accepted.acceptedAt == apple.clock.now)
            let error = try await appleFailure {
                _ = try await apple.client.refresh(
                    refreshToken, client: "com.example.juice", subject: grant.identity.subject)
            }
            #expect(error?.kind == .grantIsDead)
            let again = try await apple.emulator.authorize(client: "com.example.juice.web")
            #expect(again.user != nil)
        }
    }

    @Test("is accepted for an invalid token and a repeated one, so acceptance proves nothing")
    func garbage() async throws {
        let apple = try await AppleSide()
        let token = try #require(try await apple.signIn().refreshToken)
        for token in [RefreshToken("garbage"), token, token] {
            _ = try await apple.client.revoke(token, client: "com.example.juice")
        }
    }

    @Test("with another client, or of the other kind of token, is refused and revokes nothing")
    func refused() async throws {
        let apple = try await AppleSide()
        let grant = try await apple.signIn()
        let token = try #require(grant.refreshToken)
        let other = try await appleFailure { _ = try await apple.client.revoke(token, client: "com.example.juice.web") }
        #expect(other?.code == .grantRejected)
        let mixed = try await appleFailure {
            _ = try await apple.client.revoke(AccessToken(token.rawValue), client: "com.example.juice")
        }
        #expect(mixed?.code == .clientRejected)
        _ = try await apple.client.refresh(token, client: "com.example.juice", subject: grant.identity.subject)
    }

    @Test("is retried if Apple doesn't answer, and fails if no attempt is accepted")
    func outage() async throws {
        let apple = try await AppleSide()
        let grant = try await apple.signIn()
        let token = try #require(grant.refreshToken)
        apple.transport.fail("/auth/revoke", with: .status(503))
        let error = try await appleFailure { _ = try await apple.client.revoke(token, client: "com.example.juice") }
        #expect(error?.kind == .transient)
        #expect(apple.transport.count(of: "/auth/revoke") == 3)
        apple.transport.fail("/auth/revoke", with: nil)
        _ = try await apple.client.refresh(token, client: "com.example.juice", subject: grant.identity.subject)
    }
}
