import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("While Apple fails")
struct AppleTroubleTests {
    @Test(
        "a deletion is answered, and Apple is asked when it works again",
        arguments: AppleTrouble.allCases, Engine.allCases)
    func deletion(_ trouble: AppleTrouble, on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedIn()
        try await system.order("/emulator/faults", trouble.order(at: "revoke"))
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        // Three days of it.
        for _ in 0..<12 {
            try await system.domain.outbox.drain()
            #expect(try await system.domain.deletions.deletion(receipt.handle).state == .waiting)
            system.clock.advance(by: .seconds(6 * 3_600))
        }
        #expect(try await system.store.parkedInOutbox(limit: 10).isEmpty)
        #expect(system.apple.count(of: "/auth/revoke") >= 12)
        try await system.order("/emulator/faults/clear")
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(try await system.isFirstAtApple())
    }

    @Test(
        "a revocation by itself is not lost either, and no session ends", arguments: AppleTrouble.allCases,
        Engine.allCases)
    func revocation(_ trouble: AppleTrouble, on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedIn()
        try await system.order("/emulator/faults", trouble.order(at: "revoke"))
        #expect(try await system.domain.revocations.revoke(RevocationRequest(), in: session, from: .unknown).count == 1)
        try await system.domain.outbox.drain()
        try await system.order("/emulator/faults/clear")
        system.clock.advance(by: .seconds(60))
        try await system.domain.outbox.drain()
        #expect(try await system.isFirstAtApple())
        #expect(try await system.store.session(session.session.id)?.ended == nil)
    }

    @Test(
        "a sign-in goes on without the exchange, and the code is redeemed later", arguments: AppleTrouble.allCases,
        Engine.allCases)
    func exchange(_ trouble: AppleTrouble, on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let before = try await system.signedIn()
        try await system.order("/emulator/faults", trouble.order(at: "token"))
        let session = try await system.signedIn()
        #expect(session.account.id == before.account.id)
        try await system.domain.outbox.drain()
        try await system.order("/emulator/faults/clear")
        system.clock.advance(by: .seconds(60))
        try await system.domain.outbox.drain()
        for session in [before, session] {
            #expect(try await system.store.session(session.session.id)?.ended == nil)
        }
        // The token of the code is revoked with the account, so that nothing is left at Apple.
        system.clock.advance(by: .seconds(60))
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(try await system.isFirstAtApple())
    }

    @Test("the daily check ends no session", arguments: AppleTrouble.allCases, Engine.allCases)
    func dailyCheck(_ trouble: AppleTrouble, on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedIn()
        try await system.order("/emulator/faults", trouble.order(at: "token"))
        for hour in 0..<30 {
            system.clock.advance(by: .seconds(hour == 0 ? 86_400 : 3_600))
            await system.domain.dailyCheck.round()
        }
        #expect(try await system.store.session(session.session.id)?.ended == nil)
        #expect(try await system.store.stoppedChecks().isEmpty)
        try await system.order("/emulator/faults/clear")
        // The death that the outage hid is still found.
        try await system.order(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": TestSystem.juice.rawValue])
        for _ in 0..<3 {
            system.clock.advance(by: .seconds(3_600))
            await system.domain.dailyCheck.round()
        }
        #expect(try await system.store.session(session.session.id)?.ended?.reason == .appleGrantDead)
    }
}
