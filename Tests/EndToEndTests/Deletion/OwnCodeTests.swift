import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Testing

/// The credential of an app on Linux: it came through the browser, and its code is ours.
@Suite("A credential of one of our authorizations")
struct OwnCodeTests {
    private func signIn(_ system: TestSystem) async throws -> StoredSession {
        let done = try await system.domain.signIn.native(system.device())
        system.clock.advance(by: .seconds(400))
        return try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
    }

    /// - Parameter hasToken: Else the app sends the code alone.
    private func request(
        _ system: TestSystem, _ purpose: Challenge.Purpose, in session: StoredSession, person: String = "johnny",
        hasToken: Bool
    ) async throws -> NativeSignIn {
        let nonce = try system.domain.challenges.make(for: purpose, session: session.session.id).nonce
        let credential = try await system.credential(person: person, nonce: nonce)
        return NativeSignIn(
            identityToken: hasToken ? credential.identityToken : nil, authorizationCode: credential.authorizationCode,
            nonce: nonce, clientID: TestSystem.juice)
    }

    @Test("renews a session, once", arguments: Engine.allCases, [true, false])
    func reauthenticates(on engine: Engine, hasToken: Bool) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system)
        let request = try await request(system, .reauthenticate, in: session, hasToken: hasToken)
        let renewed = try await system.domain.reauthentications.reauthenticate(session, with: request, from: .unknown)
        let found = try await system.domain.sessions.authenticate(accessToken: renewed.accessToken)
        #expect(found.session.id == session.session.id)
        #expect(found.session.authenticatedAt == renewed.authenticatedAt)
        #expect(renewed.authenticatedAt > session.session.authenticatedAt)
        // Its token is held beside that of the app.
        #expect(try await system.store.appleTokens(of: session.session.identityID).count == 2)
        await #expect(throws: AccountError(.alreadyUsed, "")) {
            try await system.domain.reauthentications.reauthenticate(session, with: request, from: .unknown)
        }
    }

    @Test("deletes an account, and its token is revoked with the others", arguments: Engine.allCases)
    func deletes(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system)
        let request = try await request(system, .delete, in: session, hasToken: true)
        let receipt = try await system.domain.deletions.delete(accountOf: session, with: request, from: .unknown)
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(system.apple.count(of: "/auth/revoke") == 2)
    }

    @Test("revokes at Apple by its code, without any other proof", arguments: Engine.allCases)
    func revokes(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system)
        let code = try #require(try await system.credential(nonce: .nonce()).authorizationCode)
        let request = RevocationRequest(authorizationCode: code)
        #expect(try await system.domain.revocations.revoke(request, in: session, from: .unknown).count == 2)
        await #expect(throws: AccountError(.alreadyUsed, "")) {
            try await system.domain.revocations.revoke(request, in: session, from: .unknown)
        }
        try await system.domain.outbox.drain()
        #expect(try await system.emulator.authorize(client: TestSystem.juiceWeb).user != nil)
    }

    @Test("of another person has no effect", arguments: Engine.allCases)
    func otherPerson(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system)
        let mismatch = AccountError(.credentialMismatch, "")
        for hasToken in [true, false] {
            let again = try await request(system, .reauthenticate, in: session, person: "zoe", hasToken: hasToken)
            await #expect(throws: mismatch) {
                try await system.domain.reauthentications.reauthenticate(session, with: again, from: .unknown)
            }
            let end = try await request(system, .delete, in: session, person: "zoe", hasToken: hasToken)
            await #expect(throws: mismatch) {
                try await system.domain.deletions.delete(accountOf: session, with: end, from: .unknown)
            }
        }
        let code = try #require(try await system.credential(person: "zoe", nonce: .nonce()).authorizationCode)
        await #expect(throws: mismatch) {
            try await system.domain.revocations.revoke(
                RevocationRequest(authorizationCode: code), in: session, from: .unknown)
        }
        #expect(try await system.store.session(session.session.id)?.session == session.session)
    }
}
