import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("While Apple fails")
struct AppleTroubleTests {
    @Test(
        "a deletion is answered, and Apple is told when it is well again",
        arguments: AppleTrouble.allCases, Engine.allCases)
    func deletion(_ trouble: AppleTrouble, on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.signedIn()
        try await house.order("/emulator/faults", trouble.order(at: "revoke"))
        let receipt = try await house.domain.deletions.delete(accountOf: session)
        // Three days of it.
        for _ in 0..<12 {
            try await house.domain.outbox.drain()
            #expect(try await house.domain.deletions.deletion(receipt.handle).state == .waiting)
            house.clock.advance(by: .seconds(6 * 3_600))
        }
        #expect(try await house.store.parkedInOutbox(limit: 10).isEmpty)
        #expect(house.apple.count(of: "/auth/revoke") >= 12)
        try await house.order("/emulator/faults/clear")
        try await house.domain.outbox.drain()
        #expect(try await house.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(try await house.isFirstAtApple())
    }

    @Test(
        "a revocation by itself is not lost either, and no session ends", arguments: AppleTrouble.allCases,
        Engine.allCases)
    func revocation(_ trouble: AppleTrouble, on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.signedIn()
        try await house.order("/emulator/faults", trouble.order(at: "revoke"))
        #expect(try await house.domain.revocations.revoke(RevocationRequest(), in: session, from: .unknown).count == 1)
        try await house.domain.outbox.drain()
        try await house.order("/emulator/faults/clear")
        house.clock.advance(by: .seconds(60))
        try await house.domain.outbox.drain()
        #expect(try await house.isFirstAtApple())
        #expect(try await house.store.session(session.session.id)?.ended == nil)
    }

    @Test(
        "a sign-in goes on without the exchange, and the code is redeemed later", arguments: AppleTrouble.allCases,
        Engine.allCases)
    func exchange(_ trouble: AppleTrouble, on engine: Engine) async throws {
        let house = try await House(engine)
        let before = try await house.signedIn()
        try await house.order("/emulator/faults", trouble.order(at: "token"))
        let session = try await house.signedIn()
        #expect(session.account.id == before.account.id)
        try await house.domain.outbox.drain()
        try await house.order("/emulator/faults/clear")
        house.clock.advance(by: .seconds(60))
        try await house.domain.outbox.drain()
        for session in [before, session] {
            #expect(try await house.store.session(session.session.id)?.ended == nil)
        }
        // What the code brought is revoked with the account, so that nothing of it lives on at Apple.
        house.clock.advance(by: .seconds(60))
        let receipt = try await house.domain.deletions.delete(accountOf: session)
        try await house.domain.outbox.drain()
        #expect(try await house.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(try await house.isFirstAtApple())
    }

    @Test("the daily check ends nobody's session", arguments: AppleTrouble.allCases, Engine.allCases)
    func dailyCheck(_ trouble: AppleTrouble, on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.signedIn()
        try await house.order("/emulator/faults", trouble.order(at: "token"))
        for hour in 0..<30 {
            house.clock.advance(by: .seconds(hour == 0 ? 86_400 : 3_600))
            await house.domain.dailyCheck.round()
        }
        #expect(try await house.store.session(session.session.id)?.ended == nil)
        #expect(try await house.store.stoppedChecks().isEmpty)
        try await house.order("/emulator/faults/clear")
        // The death that the outage hid is still found.
        try await house.order("/emulator/grants/stop-using", ["person": "johnny", "clientID": House.juice.rawValue])
        for _ in 0..<3 {
            house.clock.advance(by: .seconds(3_600))
            await house.domain.dailyCheck.round()
        }
        #expect(try await house.store.session(session.session.id)?.ended?.reason == .appleGrantDead)
    }
}
