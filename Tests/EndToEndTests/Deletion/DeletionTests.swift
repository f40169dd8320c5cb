import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@Suite("The end of an account")
struct DeletionTests {
    /// Signs Johnny in on a device.
    private func signIn(_ system: TestSystem) async throws -> (done: TokenSignIn, session: StoredSession) {
        let done = try await system.domain.signIn.native(system.device())
        return (done, try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken))
    }

    /// Whether Apple takes Johnny's next sign-in for his first.
    private func isFirstAtApple(_ system: TestSystem) async throws -> Bool {
        try await system.emulator.authorize(client: TestSystem.juiceWeb).user != nil
    }

    @Test(
        "Gap 8: deleting an account revokes at Apple, whatever Apple answers at first", arguments: Engine.allCases,
        [500, 403, nil])
    func revoked(on engine: Engine, status: Int?) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system).session
        system.apple.fail("/auth/revoke", with: status.map { .status($0) } ?? .unreachable)
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        #expect(receipt.deletion.state == .waiting)
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .waiting)
        system.apple.fail("/auth/revoke", with: nil)
        system.clock.advance(by: .seconds(31))
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(try await isFirstAtApple(system))
    }

    @Test("Apple gets a revocation for each client that holds a token", arguments: Engine.allCases)
    func everyClient(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        _ = try await system.browse()
        let session = try await signIn(system).session
        _ = try await system.domain.deletions.delete(accountOf: session)
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 2)
    }

    @Test("Gap 2: a new grant replaces the token, so that the living one is revoked", arguments: Engine.allCases)
    func newGrant(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let first = try await signIn(system).session
        // The person stops using the app at Apple and returns: the first token is dead.
        #expect(try await system.domain.revocations.revoke(RevocationRequest(), in: first, from: .unknown).count == 1)
        try await system.domain.outbox.drain()
        let (again, session) = try await signIn(system)
        #expect(!again.isNewAccount && again.account.appleToken == .held)
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(try await isFirstAtApple(system))
    }

    @Test(
        "A wrong configuration parks the revocation, and nothing is lost when it is corrected",
        arguments: Engine.allCases)
    func parked(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system).session
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        let wrong = try await system.domain(over: RefusingApple(inner: system.apple, error: "invalid_client"))
        try await wrong.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .parked)
        #expect(try await system.store.parkedInOutbox(limit: 10).map(\.failure) == ["client_rejected"])
        system.clock.advance(by: .seconds(20 * 86_400))
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.store.retryParked(at: Timestamp(system.clock.now), by: .operator) == 1)
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
    }

    @Test("Every session of the person ends with the account, in every browser and app", arguments: Engine.allCases)
    func sessions(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let browser = try await system.browse()
        let (app, _) = try await signIn(system)
        let (other, session) = try await signIn(system)
        _ = try await system.domain.deletions.delete(accountOf: session)
        await #expect(throws: AccountError(.tokenInvalid, "")) {
            try await system.domain.sessions.authenticate(cookie: browser.sessionCookie)
        }
        for tokens in [app.tokens, other.tokens] {
            await #expect(throws: AccountError(.sessionEnded, "")) {
                try await system.domain.sessions.authenticate(accessToken: tokens.accessToken)
            }
            await #expect(throws: AccountError(.refreshTokenInvalid, "")) {
                try await system.domain.sessions.refresh(tokens.refreshToken)
            }
        }
    }

    @Test(
        "A person who returns before Apple was asked keeps the new authorization, even if Apple was down",
        arguments: Engine.allCases)
    func returns(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system).session
        system.apple.fail("/auth/revoke", with: .status(503))
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        try await system.domain.outbox.drain()
        system.clock.advance(by: .seconds(31))
        let (back, _) = try await signIn(system)
        #expect(back.isNewAccount)
        system.apple.fail("/auth/revoke", with: nil)
        system.clock.advance(by: .seconds(3_600))
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .withdrawn)
        #expect(system.apple.count(of: "/auth/revoke") == 3)
        #expect(try await isFirstAtApple(system) == false)
    }

    @Test("An old revocation waits while its person signs in", arguments: Engine.allCases)
    func rests(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system).session
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        // The code is refused, so that nothing is withdrawn; the revocation comes a little later.
        let refusing = try await system.domain(over: RefusingApple(inner: system.apple, error: "invalid_grant"))
        let request = try await system.device()
        await #expect(throws: AppleIDError(.grantRejected, "")) { try await refusing.signIn.native(request) }
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        system.clock.advance(by: .seconds(121))
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
    }

    @Test("If fifty deletions come at once, one deletes and Apple is asked once", arguments: Engine.allCases)
    func race(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system).session
        let receipts = await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { try? await system.domain.deletions.delete(accountOf: session) }
            }
            return await group.reduce(into: 0) { count, receipt in
                if receipt != nil { count += 1 }
            }
        }
        #expect(receipts == 1)
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 1)
    }
}
