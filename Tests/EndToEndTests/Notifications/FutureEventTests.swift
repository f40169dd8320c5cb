import AccountAPI
import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import Testing

@testable import AccountService

@Suite("An event of Apple's with a time in the future", .timeLimit(.minutes(2)))
struct FutureEventTests {
    private func send(_ served: ServedSystem, _ type: String, ahead: Double = 0) async throws {
        let system = served.system
        try await system.order(
            "/emulator/notifications",
            [
                "type": type, "person": "johnny", "clientID": TestSystem.juice.rawValue,
                "eventTime": Int64((system.clock.now.timeIntervalSince1970 + ahead) * 1_000),
            ])
        #expect(try await served.deliver().allSatisfy { $0 == 200 })
    }

    private func store(on database: some SQLDatabase) async throws -> AccountTransactions {
        try await AccountTransactions(on: database)
    }

    private static let year: Double = 365 * 86_400

    @Test(
        "ends the sessions like any other, and the next sign-in succeeds", arguments: Engine.allCases,
        [61, 3_600, 10 * year])
    func consent(on engine: Engine, ahead: Double) async throws {
        let log = InMemoryLogHandler()
        try await ServedSystem.run(on: engine, logger: Logger(label: "test") { _ in log }) { served in
            let first = try await served.signIn()
            served.system.clock.advance(by: .seconds(60))
            try await send(served, "consent-revoked", ahead: ahead)
            #expect(try await served.account(first.session).errorCode == .sessionEnded)
            let kept = try #require(await served.system.store.appleNotifications(limit: 1).first)
            #expect(kept.outcome == .applied)
            #expect(kept.notification.happenedAt < Timestamp(served.system.clock.now) + .seconds(1))
            served.system.clock.advance(by: .seconds(60))
            let back = try await served.signIn()
            #expect(back.account.id == first.account.id && back.account.appleAccess == .granted)
        }
        #expect(
            log.entries.contains {
                $0.level == .warning && "\($0.message)".hasPrefix("Apple sent an event with a time after")
            })
    }

    @Test("is followed by a true one", arguments: Engine.allCases)
    func forwarding(on engine: Engine) async throws {
        try await ServedSystem.run(on: engine) { served in
            let session = try await served.signIn(hidesEmail: true).session
            served.system.clock.advance(by: .seconds(60))
            try await send(served, "email-disabled", ahead: Self.year)
            served.system.clock.advance(by: .seconds(60))
            try await send(served, "email-enabled")
            let account = try await served.account(session).decode(AccountAnswer.self).account
            #expect(account.emailForwarding == .enabled)
        }
    }

    @Test("about a person without an account doesn't keep them from getting one", arguments: Engine.allCases)
    func stranger(on engine: Engine) async throws {
        try await ServedSystem.run(on: engine) { served in
            try await send(served, "consent-revoked", ahead: Self.year)
            served.system.clock.advance(by: .seconds(60))
            #expect(try await served.signIn().isNewAccount)
        }
    }

    @Test("that an older program has stored is corrected when the database is opened", arguments: Engine.allCases)
    func olderRows(on engine: Engine) async throws {
        let database = try await engine.database()
        let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let system = try await TestSystem(store: store(on: database), clock: TestClock(now))
        let first = try await system.domain.signIn.native(system.device())
        let ahead = Timestamp(system.clock.now) + .days(3_650)
        try await database.write { connection in
            try connection.execute(
                """
                UPDATE identities SET access_ended_at = ?1, access_end_reason = 'apple_consent_revoked',
                    forwarding_changed_at = ?1
                """, [.time(ahead)])
            try connection.execute("DELETE FROM migrations WHERE name = 'event times'")
        }
        system.clock.advance(by: .seconds(60))
        await #expect(throws: AccountError.self) { _ = try await system.domain.signIn.native(system.device()) }
        let mended = try await TestSystem(store: store(on: database), sharing: system)
        system.clock.advance(by: .seconds(60))
        let back = try await mended.domain.signIn.native(mended.device())
        #expect(back.account.id == first.account.id && back.account.appleAccess.ended == nil)
    }
}
