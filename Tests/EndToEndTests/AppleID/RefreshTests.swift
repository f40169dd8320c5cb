import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("A refresh token, asked about at the emulator")
struct RefreshTests {
    @Test("lives, for the client that obtained it, until the person stops using the app", arguments: [true, false])
    func lives(hasIdentityToken: Bool) async throws {
        var behaviour = Behaviour()
        behaviour.refreshOmitsIdentityToken = !hasIdentityToken
        let apple = try await AppleSide(behaviour: behaviour)
        let grant = try await apple.signIn()
        let token = try #require(grant.refreshToken)
        apple.clock.advance(by: .seconds(90_000))
        let refresh = try await apple.client.refresh(
            token, client: "com.example.juice", subject: grant.identity.subject)
        #expect((refresh.identity != nil) == hasIdentityToken)
        #expect(refresh.refreshToken == nil)
        let other = try await appleFailure {
            _ = try await apple.client.refresh(token, client: "com.example.juice.web", subject: "s")
        }
        #expect(other?.code == .grantRejected)
        try await apple.control(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice"])
        let error = try await appleFailure {
            _ = try await apple.client.refresh(token, client: "com.example.juice", subject: grant.identity.subject)
        }
        #expect(error?.code == .grantRejected)
        #expect(error?.kind == .grantIsDead)
    }

    @Test("is dead by either of Apple's error codes")
    func bothWords() async throws {
        for answer in Behaviour.DeadRefreshToken.allCases {
            var behaviour = Behaviour()
            behaviour.deadRefreshToken = answer
            let apple = try await AppleSide(behaviour: behaviour)
            let error = try await appleFailure {
                _ = try await apple.client.refresh(RefreshToken("nobody's"), client: "com.example.juice", subject: "s")
            }
            #expect(error?.kind == .grantIsDead)
            let word = (error?.cause as? AppleRefusal)?.word
            #expect(word == (answer == .invalidGrant ? .invalidGrant : .invalidRequest))
        }
    }

    @Test("is not dead because Apple throttles, does not answer, or does not know our client")
    func notDead() async throws {
        var behaviour = Behaviour()
        behaviour.limitsRefreshToOnceADay = true
        let apple = try await AppleSide(behaviour: behaviour)
        let grant = try await apple.signIn()
        let token = try #require(grant.refreshToken)
        func kind() async throws -> AppleIDError.Kind? {
            try await appleFailure {
                _ = try await apple.client.refresh(token, client: "com.example.juice", subject: grant.identity.subject)
            }?.kind
        }
        #expect(try await kind() == nil)
        #expect(try await kind() == .transient, "the second one of a day")
        #expect(apple.transport.count(of: "/auth/token") == 3, "and it is not asked again")
        apple.clock.advance(by: .seconds(90_000))
        for failure in [.unreachable, .status(403), .status(500)] as [EmulatorTransport.Failure] {
            apple.transport.fail("/auth/token", with: failure)
            #expect(try await kind() == .transient)
        }
        apple.transport.fail("/auth/token", with: nil)
        #expect(try await kind() == nil)

        // The token is live: Apple looks it up before the client.
        try await apple.control("/emulator/quirks", ["quirks": ["capability-off"]])
        #expect(try await kind() == .configuration)
    }
}
