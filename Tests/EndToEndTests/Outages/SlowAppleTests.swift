import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("While Apple takes its time", .timeLimit(.minutes(2)))
struct SlowAppleTests {
    @Test(
        "a deletion does not wait for it, and another server takes over when the lease is over",
        arguments: Engine.allCases)
    func deletion(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedIn()
        let slow = SlowApple(system.apple, at: "/auth/revoke", arriving: .after)
        let waiting = try await system.domain(over: slow)
        let receipt = try await waiting.deletions.delete(accountOf: session)
        let draining = Task { try await waiting.outbox.drain() }
        await slow.holdsOne()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .waiting)
        // No other call is made meanwhile.
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        system.clock.advance(by: .seconds(121))
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
        slow.letGo()
        try await draining.value
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(try await system.isFirstAtApple())
    }

    @Test(
        "a sign-in with a new grant survives a late answer about the old grant",
        arguments: Engine.allCases)
    func dailyCheck(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let first = try await system.signedIn()
        system.clock.advance(by: .seconds(86_400))
        try await system.order(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": TestSystem.juice.rawValue])
        let slow = SlowApple(system.apple, at: "/auth/token", arriving: .before)
        let checking = try await system.domain(over: slow)
        let round = Task { await checking.dailyCheck.round() }
        await slow.holdsOne()
        // The old grant was found dead, and nobody knows it yet.
        let second = try await system.signedIn()
        slow.letGo()
        await round.value
        for _ in 0..<3 {
            system.clock.advance(by: .seconds(3_600))
            await system.domain.dailyCheck.round()
        }
        #expect(second.account.id == first.account.id)
        #expect(try await system.store.session(second.session.id)?.ended == nil)
        #expect(try await system.store.identities(of: second.account.id).count == 1)
        #expect(try await system.store.appleTokens(of: second.session.identityID).count == 1)
    }

    @Test(
        "a token whose check isn't answered is checked by another server, and its session stays",
        arguments: Engine.allCases)
    func check(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedIn()
        system.clock.advance(by: .seconds(86_400))
        let slow = SlowApple(system.apple, at: "/auth/token", arriving: .after)
        let checking = try await system.domain(over: slow)
        let round = Task { await checking.dailyCheck.round() }
        await slow.holdsOne()
        let before = system.apple.count(of: "/auth/token")
        await system.domain.dailyCheck.round()
        #expect(system.apple.count(of: "/auth/token") == before)
        system.clock.advance(by: .seconds(601))
        await system.domain.dailyCheck.round()
        #expect(system.apple.count(of: "/auth/token") == before + 1)
        slow.letGo()
        await round.value
        #expect(try await system.store.session(session.session.id)?.ended == nil)
    }

    @Test(
        "a client that repeats its request meanwhile makes no second sign-in, and the first succeeds",
        arguments: Engine.allCases)
    func exchange(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let request = try await system.device()
        // Apple has taken the code, and its answer is on its way.
        let slow = SlowApple(system.apple, at: "/auth/token", arriving: .before)
        let waiting = try await system.domain(over: slow)
        let first = Task { try await waiting.signIn.native(request) }
        await slow.holdsOne()
        await #expect(throws: AppleIDError(.grantRejected, "")) { try await system.domain.signIn.native(request) }
        slow.letGo()
        let done = try await first.value
        let session = try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        #expect(session.account.appleToken == .held)
        #expect(try await system.store.appleTokens(of: session.session.identityID).count == 1)
    }

    @Test(
        "a token that comes after the lease of its code is kept, or revoked if the person has left",
        arguments: Engine.allCases, [false, true])
    func waitingCode(on engine: Engine, hasLeft: Bool) async throws {
        let system = try await TestSystem(engine)
        system.apple.fail("/auth/token", with: .unreachable)
        let session = try await system.signedIn()
        system.apple.fail("/auth/token", with: nil)
        system.clock.advance(by: .seconds(6))
        // Apple redeems the code, and its answer is on its way for longer than the lease.
        let slow = SlowApple(system.apple, at: "/auth/token", arriving: .before)
        let redeeming = try await system.domain(over: slow)
        let draining = Task { try await redeeming.outbox.drain() }
        await slow.holdsOne()
        system.clock.advance(by: .seconds(121))
        // To another server Apple says that the code is used.
        try await system.domain.outbox.drain()
        #expect(try await system.store.session(session.session.id)?.account.appleToken == AppleTokenStatus.none)
        if hasLeft { _ = try await system.domain.deletions.delete(accountOf: session) }
        slow.letGo()
        try await draining.value
        #expect(try await system.store.appleTokens(of: session.session.identityID).count == (hasLeft ? 0 : 1))
        try await system.domain.outbox.drain()
        #expect(try await system.isFirstAtApple() == hasLeft)
    }
}
