import AccountDatabase
import AccountEngines
import AccountSQLite
import AppleID
import Testing

@testable import AccountService

extension RefreshAttempt {
    /// One that no other test has.
    static func new() throws -> Self {
        try #require(RefreshAttempt(received: Base64URL.text(AppleIDEnvironment.live.randomBytes(16))))
    }
}

@Suite("A refresh with an attempt", .eachEngine)
struct RefreshAttemptTests {
    @Test("gets the same successor however late, until the access token of the lost answer has been used")
    func late() async throws {
        let system = try await SessionSystem()
        let (first, attempt) = try await (system.tokens(), RefreshAttempt.new())
        let second = try await system.sessions.refresh(first.refreshToken, attempt: attempt)
        system.clock.advance(.days(7))
        let again = try await system.sessions.refresh(first.refreshToken, attempt: attempt)
        #expect(again.refreshToken == second.refreshToken)
        _ = try await system.sessions.authenticate(accessToken: again.accessToken)
        await expectReuse(of: first, attempt, in: system)
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await system.sessions.authenticate(accessToken: again.accessToken)
        }
    }

    @Test("is too late once the successor was exchanged")
    func exchanged() async throws {
        let system = try await SessionSystem()
        let (first, attempt) = try await (system.tokens(), RefreshAttempt.new())
        let second = try await system.sessions.refresh(first.refreshToken, attempt: attempt)
        _ = try await system.sessions.refresh(second.refreshToken, attempt: .new())
        await expectReuse(of: first, attempt, in: system)
    }

    @Test("is too late after the grace period with another attempt, or with a missing one", arguments: 0..<3)
    func others(number: Int) async throws {
        let system = try await SessionSystem()
        let first = try await system.tokens()
        let (attempts, others) = try (
            [RefreshAttempt.new(), .new(), nil][number], [RefreshAttempt.new(), nil, .new()][number]
        )
        let second = try await system.sessions.refresh(first.refreshToken, attempt: attempts)
        system.clock.advance(.seconds(30))
        #expect(
            try await system.sessions.refresh(first.refreshToken, attempt: others).refreshToken == second.refreshToken)
        system.clock.advance(.seconds(1))
        await expectReuse(of: first, others, in: system)
    }

    @Test("is not affected by an earlier access token")
    func accessTokenOfBefore() async throws {
        let system = try await SessionSystem()
        let first = try await system.tokens()
        let second = try await system.sessions.refresh(first.refreshToken, attempt: .new())
        let attempt = try RefreshAttempt.new()
        let third = try await system.sessions.refresh(second.refreshToken, attempt: attempt)
        system.clock.advance(.minutes(5))
        for token in [first.accessToken, second.accessToken] {
            _ = try await system.sessions.authenticate(accessToken: token)
            _ = try await system.sessions.authenticateAllowingEndedSession(token)
        }
        let again = try await system.sessions.refresh(second.refreshToken, attempt: attempt)
        #expect(again.refreshToken == third.refreshToken)
        _ = try await system.sessions.authenticateAllowingEndedSession(third.accessToken)
        await expectReuse(of: second, attempt, in: system)
    }

    @Test("records the use of a generation once, and never of the first one")
    func notes() async throws {
        let system = try await SessionSystem()
        let first = try await system.tokens()
        let id = try await system.sessions.authenticate(accessToken: first.accessToken).session.id
        #expect(try await system.store.session(id)?.usedGeneration == 0)
        let second = try await system.sessions.refresh(first.refreshToken)
        #expect(try await system.store.session(id)?.usedGeneration == 0)
        _ = try await system.sessions.authenticate(accessToken: second.accessToken)
        #expect(try await system.store.session(id)?.usedGeneration == 1)
        _ = try await system.sessions.authenticate(accessToken: first.accessToken)
        #expect(try await system.store.session(id)?.usedGeneration == 1)
    }

    @Test("is 16 bytes in base64url")
    func form() {
        let text = "AAECAwQFBgcICQoLDA0ODw"
        #expect(RefreshAttempt(received: text) != nil)
        for wrong in [
            "", text + "==", text + "A", String(text.dropLast()), "AAECAwQFBgcICQoLDA0OD+", text.dropLast() + "x",
        ] {
            #expect(RefreshAttempt(received: wrong) == nil, "\(wrong)")
        }
    }

    @Test("of one token does nothing for another, even if a previous version left it in the row")
    func previousVersion() async throws {
        let system = try await SessionSystem()
        let previous = PreviousServer(beside: system)
        let (first, attempt) = try await (system.tokens(), RefreshAttempt.new())
        let second = try await system.sessions.refresh(first.refreshToken, attempt: attempt)
        _ = try await previous.refresh(second.refreshToken)
        system.clock.advance(.seconds(31))
        await expectReuse(of: second, attempt, in: system)
    }

    @Test("is not cut off by an access token of a previous version, which the service accepts")
    func previousAccessToken() async throws {
        let system = try await SessionSystem()
        let (opened, secret) = try await system.open(.tokens)
        let attempt = try RefreshAttempt.new()
        let second = try await system.sessions.refresh(secret.text, attempt: attempt)
        let token = try system.sessions.accessTokens.mint(for: opened, generation: nil)
        let other = try await SessionSystem.open(system.store, ring: KeyRingTests.one, clock: system.clock)
        _ = try await other.sessions.authenticate(accessToken: token)
        system.clock.advance(.minutes(5))
        let again = try await system.sessions.refresh(secret.text, attempt: attempt)
        #expect(again.refreshToken == second.refreshToken)
    }

    private func expectReuse(of tokens: SessionTokens, _ attempt: RefreshAttempt?, in system: SessionSystem) async {
        await #expect(throws: AccountError(.refreshTokenReused, "")) {
            try await system.sessions.refresh(tokens.refreshToken, attempt: attempt)
        }
    }
}

@Suite("The use of an access token")
struct AccessTokenUseTests {
    @Test("works while the database cannot be written, and is recorded when it can be again")
    func unwritable() async throws {
        let system = try await SessionSystem()
        let (first, attempt) = try await (system.tokens(), RefreshAttempt.new())
        let second = try await system.sessions.refresh(first.refreshToken, attempt: attempt)
        _ = try await system.database.write { connection in
            try connection.execute(
                "CREATE TRIGGER full_disk BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'no room'); END")
        }
        for _ in 0..<2 {
            let found = try await system.sessions.authenticate(accessToken: second.accessToken)
            #expect(found.usedGeneration == 0)
        }
        _ = try await system.database.write { try $0.execute("DROP TRIGGER full_disk") }
        #expect(try await system.sessions.authenticate(accessToken: second.accessToken).usedGeneration == 1)
        system.clock.advance(.seconds(31))
        await #expect(throws: AccountError(.refreshTokenReused, "")) {
            try await system.sessions.refresh(first.refreshToken, attempt: attempt)
        }
    }
}
