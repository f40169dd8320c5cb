import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Testing

/// As an app on Linux has it: the credential came through the browser, and its code is ours.
@Suite("A credential of one of our authorizations")
struct OwnCodeTests {
    private func signIn(_ house: House) async throws -> StoredSession {
        let done = try await house.domain.signIn.native(house.device())
        house.clock.advance(by: .seconds(400))
        return try await house.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
    }

    /// - Parameter hasToken: Else the app sends the code alone.
    private func request(
        _ house: House, _ purpose: Challenge.Purpose, in session: StoredSession, person: String = "johnny",
        hasToken: Bool
    ) async throws -> NativeSignIn {
        let nonce = try house.domain.challenges.make(for: purpose, session: session.session.id).nonce
        let credential = try await house.credential(person: person, nonce: nonce)
        return NativeSignIn(
            identityToken: hasToken ? credential.identityToken : nil, authorizationCode: credential.authorizationCode,
            nonce: nonce, clientID: House.juice)
    }

    @Test("renews a session, once", arguments: Engine.allCases, [true, false])
    func reauthenticates(on engine: Engine, hasToken: Bool) async throws {
        let house = try await House(engine)
        let session = try await signIn(house)
        let request = try await request(house, .reauthenticate, in: session, hasToken: hasToken)
        let renewed = try await house.domain.signIn.reauthenticate(session, with: request, from: .unknown)
        let found = try await house.domain.sessions.authenticate(accessToken: renewed.accessToken)
        #expect(found.session.id == session.session.id)
        #expect(found.session.authenticatedAt == renewed.authenticatedAt)
        #expect(renewed.authenticatedAt > session.session.authenticatedAt)
        // Its token is held beside that of the app.
        #expect(try await house.store.appleTokens(of: session.session.identityID).count == 2)
        await #expect(throws: AccountError(.alreadyUsed, "")) {
            try await house.domain.signIn.reauthenticate(session, with: request, from: .unknown)
        }
    }

    @Test("deletes an account, and its token is revoked with the others", arguments: Engine.allCases)
    func deletes(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await signIn(house)
        let request = try await request(house, .delete, in: session, hasToken: true)
        let receipt = try await house.domain.signIn.delete(accountOf: session, with: request, from: .unknown)
        try await house.domain.outbox.drain()
        #expect(try await house.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(house.apple.count(of: "/auth/revoke") == 2)
    }

    @Test("revokes at Apple by its code, without any other proof", arguments: Engine.allCases)
    func revokes(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await signIn(house)
        let code = try #require(try await house.credential(nonce: .nonce()).authorizationCode)
        let request = RevocationRequest(authorizationCode: code)
        #expect(try await house.domain.revocations.revoke(request, in: session, from: .unknown).count == 2)
        await #expect(throws: AccountError(.alreadyUsed, "")) {
            try await house.domain.revocations.revoke(request, in: session, from: .unknown)
        }
        try await house.domain.outbox.drain()
        #expect(try await house.emulator.authorize(client: House.juiceWeb).user != nil)
    }

    @Test("of another person does none of it", arguments: Engine.allCases)
    func otherPerson(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await signIn(house)
        let mismatch = AccountError(.credentialMismatch, "")
        for hasToken in [true, false] {
            let again = try await request(house, .reauthenticate, in: session, person: "zoe", hasToken: hasToken)
            await #expect(throws: mismatch) {
                try await house.domain.signIn.reauthenticate(session, with: again, from: .unknown)
            }
            let end = try await request(house, .delete, in: session, person: "zoe", hasToken: hasToken)
            await #expect(throws: mismatch) {
                try await house.domain.signIn.delete(accountOf: session, with: end, from: .unknown)
            }
        }
        let code = try #require(try await house.credential(person: "zoe", nonce: .nonce()).authorizationCode)
        await #expect(throws: mismatch) {
            try await house.domain.revocations.revoke(
                RevocationRequest(authorizationCode: code), in: session, from: .unknown)
        }
        #expect(try await house.store.session(session.session.id)?.session == session.session)
    }
}
