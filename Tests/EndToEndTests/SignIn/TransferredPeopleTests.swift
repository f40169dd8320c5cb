import AccountDatabase
import AccountEngines
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import InMemoryLogging
import Logging
import Testing

@Suite("After an app has moved to another team", .timeLimit(.minutes(2)))
struct TransferredPeopleTests {
    private let log = InMemoryLogHandler()

    private var errors: [String] { log.entries.filter { $0.level == .error }.map { "\($0.message)" } }

    /// A service of the former team, at which Johnny has an account.
    private func former(_ engine: Engine) async throws -> TestSystem {
        var portal = Portal.seeded(configuration: EmulatorConfiguration(baseURL: TestSystem.emulatorURL))
        portal.teams.append(Portal.Team(id: "CIDERTEAM2", name: "Cider Makers", apps: []))
        let system = try await TestSystem(engine, portal: portal)
        _ = try await system.domain.signIn.native(system.device())
        return system
    }

    /// The service of the new team on the same database, or on one of its own.
    private func moved(
        _ system: TestSystem, store: (AccountTransactions)? = nil,
        configure: (inout AccountConfiguration) -> Void = { _ in }
    ) async throws -> TestSystem {
        try await system.order("/emulator/transfers", ["clientID": TestSystem.juice.rawValue, "team": "CIDERTEAM2"])
        return try await TestSystem(
            store: store ?? system.store, sharing: system, logger: Logger(label: "test") { [log] _ in log },
            configure: configure)
    }

    @Test("a known person is refused in an app, and their code isn't redeemed", arguments: Engine.allCases)
    func native(on engine: Engine) async throws {
        let system = try await moved(former(engine))
        for person in ["johnny", "zoe"] {
            // Zoe is new to the app, and her tokens carry no transfer_sub.
            let request = try await system.device(person: person)
            if person == "zoe" {
                #expect(try await system.domain.signIn.native(request).isNewAccount)
            } else {
                await #expect(throws: AccountError.transferNotCompleted) {
                    try await system.domain.signIn.native(request)
                }
                #expect(system.apple.count(of: "/auth/token") == 0)
                #expect(errors.count == 1 && errors.allSatisfy { $0.contains("moved to another team") })
            }
        }
        #expect(try await system.store.accountCount() == 2)
    }

    @Test("a known person is refused in a browser, and with a code alone", arguments: Engine.allCases)
    func otherWays(on engine: Engine) async throws {
        let system = try await moved(former(engine))
        await #expect(throws: AccountError.transferNotCompleted) { try await system.browse() }
        var request = try await system.device()
        request.identityToken = nil
        request.clientID = TestSystem.juice
        await #expect(throws: AccountError.transferNotCompleted) { try await system.domain.signIn.native(request) }
        #expect(errors.count == 2)
        #expect(try await system.store.accountCount() == 1)
        // Nothing is ordered that would end what the person has at Apple.
        system.clock.advance(by: .seconds(3_600))
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
    }

    @Test("an app's authorization says so to the app", arguments: Engine.allCases)
    func authorization(on engine: Engine) async throws {
        let system = try await moved(former(engine))
        let asking = try await system.ask()
        let browser = try await system.visit(asking)
        let query = try await system.returnQuery(asking, browser)
        #expect(query["error"] == "transfer_not_completed")
    }

    @Test("a setting gives people new accounts, with which they sign in again without it", arguments: Engine.allCases)
    func admitted(on engine: Engine) async throws {
        let system = try await moved(former(engine)) { $0.admitsTransferredPeople = true }
        let first = try await system.domain.signIn.native(system.device())
        #expect(first.isNewAccount && errors.isEmpty)
        let strict = try await TestSystem(store: system.store, sharing: system)
        let second = try await strict.domain.signIn.native(strict.device())
        #expect(!second.isNewAccount && second.account.id == first.account.id)
    }

    @Test("a person is refused on a fresh database too, where no transfer has begun", arguments: Engine.allCases)
    func fresh(on engine: Engine) async throws {
        let store = try await engine.store()
        let system = try await moved(former(engine), store: store)
        await #expect(throws: AccountError.transferNotCompleted) {
            try await system.domain.signIn.native(system.device())
        }
        #expect(errors.count == 1)
        #expect(try await store.accountCount() == 0)
        #expect(try await system.domain.signIn.native(system.device(person: "zoe")).isNewAccount)
        let admitting = try await TestSystem(store: store, sharing: system) { $0.admitsTransferredPeople = true }
        #expect(try await admitting.domain.signIn.native(admitting.device()).isNewAccount)
    }
}
