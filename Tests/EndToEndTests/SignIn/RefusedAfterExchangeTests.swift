import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("A refusal after Apple has redeemed the code", .timeLimit(.minutes(2)))
struct RefusedAfterExchangeTests {
    @Test("leaves the new token with the account that is disabled", arguments: Engine.allCases)
    func disabled(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.signedIn()
        let old = try await house.store.appleTokens(of: session.session.identityID)
        let ending = SessionEnding(
            at: session.session.createdAt + .seconds(1), reason: .accountDisabled, by: .operator)
        #expect(try await house.store.disable(session.account.id, ending, limit: 10) == 1)
        house.clock.advance(by: .seconds(60))
        let request = try await house.device()
        await #expect(throws: AccountError(.accountDisabled, "")) { try await house.domain.signIn.native(request) }
        let kept = try await house.store.appleTokens(of: session.session.identityID)
        #expect(kept.count == 1 && kept != old)
    }

    @Test(
        "leaves it with the person whose session ended meanwhile, or revokes it with their account",
        arguments: Engine.allCases, [false, true])
    func ended(on engine: Engine, isDeleted: Bool) async throws {
        let house = try await House(engine)
        var request = try await house.device()
        request.authorizationCode = nil
        let done = try await house.domain.signIn.native(request)
        let session = try await house.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        let nonce = try house.domain.challenges.make(for: .reauthenticate, session: session.session.id).nonce
        let proof = try await house.device(nonce: nonce)
        let slow = SlowApple(house.apple, at: "/auth/token", arriving: .before)
        let domain = try await house.domain(over: slow)
        let reauthenticating = Task {
            try await domain.signIn.reauthenticate(session, with: proof, from: .unknown)
        }
        await slow.holdsOne()
        if isDeleted {
            _ = try await house.domain.deletions.delete(accountOf: session)
        } else {
            try await house.domain.sessions.end(session.session.id)
        }
        slow.letGo()
        await #expect(throws: AccountError(.sessionEnded, "")) { try await reauthenticating.value }
        #expect(try await house.store.appleTokens(of: session.session.identityID).count == (isDeleted ? 0 : 1))
        house.clock.advance(by: .seconds(600))
        try await house.domain.outbox.drain()
        #expect(house.apple.count(of: "/auth/revoke") == (isDeleted ? 1 : 0))
        #expect(try await house.isFirstAtApple() == isDeleted)
    }
}
