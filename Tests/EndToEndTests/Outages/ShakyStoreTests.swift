import AccountSQL
import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("While the store does not answer, what Apple gives once", .timeLimit(.minutes(2)))
struct ShakyStoreTests {
    @Test("is held when a code had waited for it", arguments: Engine.allCases, ShakyDatabase.Fault.allCases)
    func waitingCode(on engine: Engine, _ fault: ShakyDatabase.Fault) async throws {
        let database = ShakyDatabase(try await engine.database())
        let house = try await House(store: SQLAccountStore(on: database))
        house.apple.fail("/auth/token", with: .unreachable)
        let session = try await house.signedIn()
        try await house.keysAreKept()
        house.apple.fail("/auth/token", with: nil)
        house.clock.advance(by: .seconds(6))
        let apple = ChangedAnswers(inner: house.apple) { _ in database.fails(fault, times: 3) }
        try await house.domain(over: apple).outbox.drain()
        #expect(try await house.store.session(session.session.id)?.account.appleToken == .held)
        #expect(try await house.store.leaseOutbox(of: house).isEmpty)
    }

    @Test(
        "is the person's, whether the sign-in that it came with was written or not", arguments: Engine.allCases,
        ShakyDatabase.Fault.allCases)
    func signIn(on engine: Engine, _ fault: ShakyDatabase.Fault) async throws {
        let database = ShakyDatabase(try await engine.database())
        let house = try await House(store: SQLAccountStore(on: database))
        let before = try await house.signedIn()
        try await house.keysAreKept()
        let old = try await house.store.appleTokens(of: before.session.identityID)
        house.clock.advance(by: .seconds(60))
        let domain = try await house.domain(
            over: ChangedAnswers(inner: house.apple) { _ in database.fails(fault, times: 3) })
        let request = try await house.device()
        await #expect(throws: AccountError(.unavailable, "")) { try await domain.signIn.native(request) }
        while try await house.store.appleTokens(of: before.session.identityID) == old {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(try await house.store.appleTokens(of: before.session.identityID).count == 1)
        #expect(try await house.store.leaseOutbox(of: house).isEmpty)
    }

    @Test(
        "is revoked in time where nobody has an account, unless the sign-in was written", arguments: Engine.allCases,
        ShakyDatabase.Fault.allCases)
    func newcomer(on engine: Engine, _ fault: ShakyDatabase.Fault) async throws {
        let database = ShakyDatabase(try await engine.database())
        let house = try await House(store: SQLAccountStore(on: database))
        // Somebody else's sign-in, so that the keys are there and are not what is lost.
        _ = try await house.signedIn("zoe")
        try await house.keysAreKept()
        let domain = try await house.domain(over: ChangedAnswers(inner: house.apple) { _ in database.fails(fault) })
        let request = try await house.device()
        await #expect(throws: AccountError(.unavailable, "")) { try await domain.signIn.native(request) }
        house.clock.advance(by: .seconds(600))
        try await house.domain.outbox.drain()
        #expect(house.apple.count(of: "/auth/revoke") == (fault == .lost ? 1 : 0))
        #expect(try await house.isFirstAtApple() == (fault == .lost))
    }
}

extension AccountStore {
    /// What is still to be done, however far away.
    fileprivate func leaseOutbox(of house: House) async throws -> [OutboxEntry] {
        let moment = Timestamp(house.clock.now) + .days(30)
        return try await leaseOutbox(
            OutboxLease(owner: "test", at: moment, until: moment + .minutes(2), limit: 100))
    }
}
