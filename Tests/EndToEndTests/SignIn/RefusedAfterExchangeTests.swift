import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("A refusal after Apple has redeemed the code", .timeLimit(.minutes(2)))
struct RefusedAfterExchangeTests {
    @Test("leaves the new token with the disabled account", arguments: Engine.allCases)
    func disabled(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let (session, old) = try await system.disabled()
        let request = try await system.device()
        await #expect(throws: AccountError(.accountDisabled, "")) { try await system.domain.signIn.native(request) }
        let kept = try await system.store.appleTokens(of: session.session.identityID)
        #expect(kept.count == 1 && kept != old)
    }

    @Test(
        "leaves it with a person whose session ended meanwhile, or revokes it with their deleted account",
        arguments: Engine.allCases, [false, true])
    func ended(on engine: Engine, isDeleted: Bool) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedInWithoutCode()
        let nonce = try system.domain.challenges.make(for: .reauthenticate, session: session.session.id).nonce
        let proof = try await system.device(nonce: nonce)
        try await system.leaves(session, isDeleted: isDeleted) { domain in
            _ = try await domain.reauthentications.reauthenticate(session, with: proof, from: .unknown)
        }
    }

    @Test(
        "does the same for a revocation in that session", arguments: Engine.allCases, [false, true])
    func revoking(on engine: Engine, isDeleted: Bool) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedInWithoutCode()
        let proof = try await system.device()
        let request = RevocationRequest(authorizationCode: proof.authorizationCode, nonce: proof.nonce)
        try await system.leaves(session, isDeleted: isDeleted) { domain in
            _ = try await domain.revocations.revoke(request, in: session, from: .unknown)
        }
    }

    @Test("keeps an answer that waits for Apple's key until it can be verified", arguments: Engine.allCases)
    func waiting(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let (session, old) = try await system.disabled()
        let nonce = String.nonce()
        var request = try await system.device(nonce: nonce)
        request.identityToken = try await system.tokenOfAnotherCode(nonce: nonce)
        try await system.losesKeys()
        await #expect(throws: AccountError(.accountDisabled, "")) { try await system.domain.signIn.native(request) }
        system.apple.fail("/auth/keys", with: nil)
        system.clock.advance(by: .seconds(3_600))
        try await system.domain.outbox.drain()
        let kept = try await system.store.appleTokens(of: session.session.identityID)
        #expect(kept.count == 1 && kept != old)
    }

    @Test("leaves another person's token to that person", arguments: Engine.allCases, [false, true])
    func otherPerson(on engine: Engine, hasAccount: Bool) async throws {
        let system = try await TestSystem(engine)
        let zoe = hasAccount ? try await system.signedIn("zoe") : nil
        let session = try await system.signedIn()
        for isRevocation in [false, true] {
            system.clock.advance(by: .seconds(60))
            let old = try await system.tokens(of: zoe)
            let nonce = try system.domain.challenges.make(for: .reauthenticate, session: session.session.id).nonce
            var proof = try await system.device(person: "zoe", nonce: nonce)
            (proof.identityToken, proof.clientID) = (nil, TestSystem.juice)
            let (code, request) = (proof.authorizationCode, proof)
            await #expect(throws: AccountError(.credentialMismatch, "")) {
                if isRevocation {
                    _ = try await system.domain.revocations.revoke(
                        RevocationRequest(authorizationCode: code, nonce: nonce), in: session, from: .unknown)
                } else {
                    _ = try await system.domain.reauthentications.reauthenticate(session, with: request, from: .unknown)
                }
            }
            let kept = try await system.tokens(of: zoe)
            #expect(kept?.count == (hasAccount ? 1 : nil) && (kept == nil || kept != old))
        }
        system.clock.advance(by: .seconds(3_600))
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.isFirstAtApple("zoe") == false)
    }
}

extension TestSystem {
    /// Nil for nobody.
    fileprivate func tokens(of session: StoredSession?) async throws -> [AppleToken]? {
        guard let session else { return nil }
        return try await store.appleTokens(of: session.session.identityID)
    }

    /// Somebody whose account has been disabled since they signed in, and what is held for them.
    fileprivate func disabled() async throws -> (session: StoredSession, tokens: [AppleToken]) {
        let session = try await signedIn()
        let tokens = try await store.appleTokens(of: session.session.identityID)
        let ending = SessionEnding(
            at: session.session.createdAt + .seconds(1), reason: .accountDisabled, by: .operator)
        #expect(try await store.disable(session.account.id, ending, limit: 10) == 1)
        clock.advance(by: .seconds(60))
        return (session, tokens)
    }

    fileprivate func signedInWithoutCode() async throws -> StoredSession {
        var request = try await device()
        request.authorizationCode = nil
        let done = try await domain.signIn.native(request)
        return try await domain.sessions.authenticate(accessToken: done.tokens.accessToken)
    }

    /// A session without a token of Apple's ends, or its account is deleted, while Apple redeems a code in it.
    fileprivate func leaves(
        _ session: StoredSession, isDeleted: Bool,
        while asking: @escaping @Sendable (AccountDomain) async throws -> Void
    ) async throws {
        let slow = SlowApple(apple, at: "/auth/token", arriving: .before)
        let domain = try await domain(over: slow)
        let asked = Task { try await asking(domain) }
        await slow.holdsOne()
        if isDeleted {
            _ = try await self.domain.deletions.delete(accountOf: session)
        } else {
            try await self.domain.sessions.end(session.session.id)
        }
        slow.letGo()
        await #expect(throws: AccountError(.sessionEnded, "")) { try await asked.value }
        #expect(try await store.appleTokens(of: session.session.identityID).count == (isDeleted ? 0 : 1))
        clock.advance(by: .seconds(600))
        try await self.domain.outbox.drain()
        #expect(apple.count(of: "/auth/revoke") == (isDeleted ? 1 : 0))
        #expect(try await isFirstAtApple() == isDeleted)
    }
}
