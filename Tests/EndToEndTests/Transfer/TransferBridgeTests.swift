import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@testable import AccountService

/// As long as a person's authorization lasts, Apple says who they were at the former team.
@Suite("People of an app that moves to another team keep their authorization", .timeLimit(.minutes(3)))
struct TransferBridgeTests {
    @Test("if an app doesn't redeem their authorization", arguments: Engine.allCases)
    func unusedAuthorization(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let before = try await app.system.domain.signIn.native(app.system.device())
        try await app.export()
        try await app.accept()
        let service = try await app.newService()
        _ = try await service.visit(service.ask())
        service.clock.advance(by: .minutes(30))
        try await service.domain.outbox.drain()
        #expect(service.apple.count(of: "/auth/revoke") == 0)
        #expect(try await app.import().succeeded == 1)
        #expect(try await service.domain.signIn.native(service.device()).account.id == before.account.id)
    }

    @Test("if an app doesn't redeem their authorization, and the transfer begins only then", arguments: Engine.allCases)
    func unusedBeforeExport(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let before = try await app.system.domain.signIn.native(app.system.device())
        try await app.accept()
        let service = try await app.newService { $0.admitsTransferredPeople = true }
        _ = try await service.visit(service.ask())
        service.clock.advance(by: .minutes(30))
        try await service.domain.outbox.drain()
        #expect(service.apple.count(of: "/auth/revoke") == 0)
        try await app.export()
        #expect(try await app.import().succeeded == 1)
        #expect(try await service.domain.signIn.native(service.device()).account.id == before.account.id)
    }

    @Test("and stay disabled if they sign in before they were moved", arguments: Engine.allCases)
    func disabled(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let before = try await app.system.domain.signIn.native(app.system.device())
        _ = try await app.system.domain.directory.disable(before.account.id)
        try await app.export()
        try await app.accept()
        let service = try await app.newService()
        for _ in 0..<2 {
            await #expect(throws: AccountError(.accountDisabled, "")) {
                try await service.domain.signIn.native(service.device())
            }
            service.clock.advance(by: .minutes(11))
            try await service.domain.outbox.drain()
        }
        #expect(service.apple.count(of: "/auth/revoke") == 0)
        #expect(try await service.store.accountCount() == 1)
        #expect(try await app.import().succeeded == 1)
    }

    @Test("if the former account replaces a second one", arguments: Engine.allCases)
    func twoAccounts(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let before = try await app.system.domain.signIn.native(app.system.device())
        try await app.accept()
        let service = try await app.newService { $0.admitsTransferredPeople = true }
        let second = try await service.domain.signIn.native(service.device())
        #expect(second.isNewAccount)
        try await app.export()
        #expect(try await app.import().failed == [.accountExists: 1])
        #expect(try await app.import(replacing: [before.account.id]).failed == [.accountExists: 1], "another account")
        let outcome = try await app.import(replacing: [second.account.id])
        #expect(outcome.succeeded == 1 && outcome.replaced == [second.account.id])
        service.clock.advance(by: .minutes(30))
        try await service.domain.outbox.drain()
        #expect(service.apple.count(of: "/auth/revoke") == 0)
        #expect(try await service.store.accountCount() == 1)
        await #expect(throws: AccountError.self, "the second account's session is gone") {
            try await service.domain.sessions.authenticate(accessToken: second.tokens.accessToken)
        }
        let strict = try await app.newService()
        #expect(try await strict.domain.signIn.native(strict.device()).account.id == before.account.id)
        // The person has one authorization, and its token is kept with the former account.
        let identity = try #require(try await service.store.identities(of: before.account.id).first)
        #expect(try await service.store.appleTokens(of: identity.id).count == 1)
        let deleted = try await service.store.auditEntries(of: second.account.id, before: nil, limit: 10)
        #expect(deleted.first?.event == .accountDeleted)
    }

    @Test("if an account of a file replaces a second one", arguments: Engine.allCases)
    func twoAccountsInAnotherStore(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let before = try await app.system.domain.signIn.native(app.system.device())
        try await app.export()
        try await app.accept()
        let store = try await engine.store()
        let service = try await app.newService(store: store) { $0.admitsTransferredPeople = true }
        let second = try await service.domain.signIn.native(service.device())
        try await app.receive(app.lines(), in: store)
        #expect(try await app.import(into: store).failed == [.accountExists: 1])
        #expect(try await app.import(into: store, replacing: [second.account.id]).succeeded == 1)
        service.clock.advance(by: .minutes(30))
        try await service.domain.outbox.drain()
        #expect(service.apple.count(of: "/auth/revoke") == 0)
        #expect(try await service.domain.signIn.native(service.device()).account.id == before.account.id)
        #expect(try await store.accountCount() == 1)
    }
}
