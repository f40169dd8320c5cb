import AccountDatabase
import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("Apple's answer while the store fails", .timeLimit(.minutes(2)))
struct ShakyStoreTests {
    @Test("is kept if it came for a code that had waited", arguments: Engine.allCases, ShakyDatabase.Fault.allCases)
    func waitingCode(on engine: Engine, _ fault: ShakyDatabase.Fault) async throws {
        let database = ShakyDatabase(try await engine.migratedDatabase())
        let system = try await TestSystem(store: AccountTransactions(on: database))
        system.apple.fail("/auth/token", with: .unreachable)
        let session = try await system.signedIn()
        try await system.keysAreKept()
        system.apple.fail("/auth/token", with: nil)
        system.clock.advance(by: .seconds(6))
        let apple = ChangedAnswers(inner: system.apple) { _ in database.fails(fault, times: 3) }
        try await system.domain(over: apple).outbox.drain()
        #expect(try await system.store.session(session.session.id)?.account.appleToken == .held)
        #expect(try await system.store.leaseOutbox(of: system).isEmpty)
    }

    @Test(
        "is kept for the person, whether the sign-in that it came with was written or not", arguments: Engine.allCases,
        ShakyDatabase.Fault.allCases)
    func signIn(on engine: Engine, _ fault: ShakyDatabase.Fault) async throws {
        let database = ShakyDatabase(try await engine.migratedDatabase())
        let system = try await TestSystem(store: AccountTransactions(on: database))
        let before = try await system.signedIn()
        try await system.keysAreKept()
        let old = try await system.store.appleTokens(of: before.session.identityID)
        system.clock.advance(by: .seconds(60))
        let domain = try await system.domain(
            over: ChangedAnswers(inner: system.apple) { _ in database.fails(fault, times: 3) })
        let request = try await system.device()
        await #expect(throws: AccountError(.unavailable, "")) { try await domain.signIn.native(request) }
        while try await system.store.appleTokens(of: before.session.identityID) == old {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(try await system.store.appleTokens(of: before.session.identityID).count == 1)
        #expect(try await system.store.leaseOutbox(of: system).isEmpty)
    }

    @Test(
        "is revoked later if there is no account, unless the sign-in was written", arguments: Engine.allCases,
        ShakyDatabase.Fault.allCases)
    func newcomer(on engine: Engine, _ fault: ShakyDatabase.Fault) async throws {
        let database = ShakyDatabase(try await engine.migratedDatabase())
        let system = try await TestSystem(store: AccountTransactions(on: database))
        // Somebody else's sign-in, so that the keys are there and are not what is lost.
        _ = try await system.signedIn("zoe")
        try await system.keysAreKept()
        let domain = try await system.domain(over: ChangedAnswers(inner: system.apple) { _ in database.fails(fault) })
        let request = try await system.device()
        await #expect(throws: AccountError(.unavailable, "")) { try await domain.signIn.native(request) }
        system.clock.advance(by: .seconds(600))
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == (fault == .lost ? 1 : 0))
        #expect(try await system.isFirstAtApple() == (fault == .lost))
    }
}

extension AccountTransactions {
    /// The open entries, whenever they are due.
    fileprivate func leaseOutbox(of system: TestSystem) async throws -> [OutboxEntry] {
        let moment = Timestamp(system.clock.now) + .days(30)
        return try await leaseOutbox(
            QueueLease(owner: "test", at: moment, until: moment + .minutes(2), limit: 100))
    }
}
