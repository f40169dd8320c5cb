import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@testable import AccountService

@Suite("People of an app that moves to a team with another database", .timeLimit(.minutes(3)))
struct OtherStoreTests {
    @Test("come in a file of account ids and transfer subjects, and keep their account ids", arguments: Engine.allCases)
    func file(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 2)
        var accounts: [AccountID] = []
        var subjects: [String] = []
        for number in 0..<2 {
            let person = try await app.system.domain.signIn.native(
                app.system.device(person: "person\(number)", hidesEmail: true))
            accounts.append(person.account.id)
            subjects.append(
                try #require(try await app.system.store.identities(of: person.account.id).first).subject.rawValue)
        }
        try await app.export()
        let lines = try await app.lines()
        #expect(lines.count == 2)
        for line in lines {
            #expect(!line.contains("@") && !subjects.contains { line.contains($0) })
            #expect(line.contains("\"to\":\"CIDERTEAM2\"") && line.contains("\"from\":\"JUICETEAM1\""))
        }
        try await app.accept()
        let store = try await engine.store()
        let service = try await app.newService(store: store)
        #expect(try await app.receive(lines, in: store).new == 2)
        #expect(try await app.receive(lines, in: store) == ReceivedCounts())
        // One signs in before the import has come to them.
        let early = try await service.domain.signIn.native(service.device(person: "person1"))
        #expect(!early.isNewAccount && early.account.id == accounts[1] && early.account.name?.givenName == "Johnny")
        let outcome = try await app.import(into: store)
        #expect(outcome.succeeded == 1 && outcome.failures == 0)
        let late = try await service.domain.signIn.native(service.device(person: "person0"))
        #expect(!late.isNewAccount && late.account.id == accounts[0] && late.account.isPrivateEmail)
        #expect(try await store.accountCount() == 2)
        #expect(try await app.import(into: store) == TransferOutcome())
        // Somebody who is new to the app is new.
        #expect(try await service.domain.signIn.native(service.device(person: "zoe")).isNewAccount)
    }

    @Test("get no account before the file is read", arguments: Engine.allCases)
    func beforeTheFile(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 1)
        let person = try await app.system.domain.signIn.native(app.system.device(person: "person0"))
        try await app.export()
        try await app.accept()
        let store = try await engine.store()
        let service = try await app.newService(store: store) { $0.formerTeam = MovingApp.former }
        await #expect(throws: AccountError.transferNotCompleted) {
            try await service.domain.signIn.native(service.device(person: "person0"))
        }
        #expect(try await store.accountCount() == 0)
        // Somebody who is new to the app is not concerned.
        #expect(try await service.domain.signIn.native(service.device(person: "zoe")).isNewAccount)
        try await app.receive(app.lines(), in: store)
        let late = try await service.domain.signIn.native(service.device(person: "person0"))
        #expect(!late.isNewAccount && late.account.id == person.account.id)
    }

    @Test("never get another person's account, whatever the file says", arguments: Engine.allCases)
    func takeover(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 1)
        _ = try await app.system.domain.signIn.native(app.system.device(person: "person0"))
        try await app.export()
        try await app.accept()
        let store = try await engine.store()
        let service = try await app.newService(store: store)
        let victim = try await service.domain.signIn.native(service.device(person: "zoe"))
        let line = try TransferLine(parsing: try #require(try await app.lines().first).utf8)
        let forged = TransferLine(
            from: line.from, to: line.to, account: victim.account.id, transferSubject: line.transferSubject)
        let counts = try await app.receive([forged.text], in: store)
        #expect(counts.existing == 1 && counts.new == 0)
        // Not even if the operator says that the file may name accounts that are here.
        #expect(try await app.receive([forged.text], takesExistingAccounts: true, in: store).new == 1)
        await #expect(throws: AccountError.transferNotCompleted) {
            try await service.domain.signIn.native(service.device(person: "person0"))
        }
        #expect(try await app.import(into: store).failed == [.accountIDTaken: 1])
        #expect(try await store.identities(of: victim.account.id).count == 1)
    }

    @Test(
        "never get an account that another file has brought, before or after its person was moved",
        arguments: Engine.allCases, [true, false])
    func secondFile(on engine: Engine, isMoved: Bool) async throws {
        let app = try await MovingApp(engine, people: 2)
        for person in ["person0", "person1"] {
            _ = try await app.system.domain.signIn.native(app.system.device(person: person))
        }
        try await app.export()
        try await app.accept()
        let store = try await engine.store()
        let service = try await app.newService(store: store) { $0.formerTeam = MovingApp.former }
        let lines = try await app.lines().map { try TransferLine(parsing: $0.utf8) }
        try await app.receive([lines[0].text], in: store)
        if isMoved { #expect(try await app.import(into: store).succeeded == 1) }
        let forged = TransferLine(
            from: lines[1].from, to: lines[1].to, account: lines[0].account,
            transferSubject: lines[1].transferSubject)
        let counts = try await app.receive([forged.text], in: store)
        #expect(counts.existing == 1 && counts.new == 0)
        if !isMoved { #expect(try await app.import(into: store).succeeded == 1) }
        #expect(try await store.identities(of: lines[0].account).count == 1)
        // One file may bring several people of one account.
        let other = try await engine.store()
        let both = try await app.receive([lines[0].text, forged.text], in: other)
        #expect(both.new == 2)
        #expect(try await app.import(into: other).succeeded == 2)
        #expect(try await other.identities(of: lines[0].account).count == 2)
        _ = service
    }

    @Test("are counted before they are read", arguments: Engine.allCases)
    func counted(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 2)
        for person in ["person0", "person1"] {
            _ = try await app.system.domain.signIn.native(app.system.device(person: person))
        }
        try await app.export()
        let lines = try await app.lines().map { try TransferLine(parsing: $0.utf8) }
        func count(in store: AccountTransactions) async throws -> ReceivedCounts {
            var reading = TransferReading(
                from: MovingApp.former, to: MovingApp.new, takesExistingAccounts: false)
            try await reading.count(lines, in: store)
            return reading.counts
        }
        let store = try await engine.store()
        #expect(try await count(in: store).new == 2)
        #expect(try await store.countToImport(to: MovingApp.new) == 0, "nothing is kept")
        try await app.receive([lines[0].text], in: store)
        #expect(try await count(in: store).new == 1)
    }

    @Test("are forgotten with a transfer that doesn't take place", arguments: Engine.allCases)
    func forgetting(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 3)
        _ = try await app.system.domain.signIn.native(app.system.device(person: "person0"))
        try await app.export()
        let store = app.system.store
        // The sale to the first buyer is off. Another company's app comes to the team.
        func comesWithAnotherApp() async throws -> AccountError? {
            var person = SignInRecord.Person(
                team: MovingApp.former, subject: "000111.another.0001", email: nil, emailVerified: false,
                isPrivateEmail: false, realUserStatus: nil)
            person.transferSubject = "000222.another.0001"
            return try await store.transferRefusal(of: person)
        }
        #expect(try await comesWithAnotherApp()?.reason.contains("former team's settings") == true)
        #expect(try await store.forgetTransfers(to: MovingApp.new, limit: 500) == 1)
        #expect(try await comesWithAnotherApp()?.reason.contains("former team's settings") == false)
        #expect(try await store.countToExport(from: MovingApp.former, to: MovingApp.new) == 1)
        // People who were moved stay.
        try await app.export()
        try await app.accept()
        try await app.import()
        #expect(try await store.forgetTransfers(to: MovingApp.new, limit: 500) == 0)
        #expect(try await store.transferCounts(to: MovingApp.new).moved == 1)
    }

    @Test(
        "have accounts here on a copied database, which the file names if the operator says so",
        arguments: Engine.allCases)
    func copiedDatabase(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 2)
        let first = try await app.system.domain.signIn.native(app.system.device(person: "person0"))
        let second = try await app.system.domain.signIn.native(app.system.device(person: "person1"))
        // Both Apple Accounts open one account.
        let store = app.system.store
        try await store.write { connection in
            _ = try connection.execute(
                "UPDATE identities SET account_id = ?1 WHERE account_id = ?2",
                [.id(first.account.id), .id(second.account.id)])
        }
        try await app.export()
        try await app.accept()
        let lines = try await app.lines()
        // The copy is from before the export.
        try await store.write { connection in _ = try connection.execute("DELETE FROM transfers", []) }
        let refused = try await app.receive(lines, in: store)
        #expect(refused.new == 0 && refused.existing == 2)
        let taken = try await app.receive(lines, takesExistingAccounts: true, in: store)
        #expect(taken.new == 2 && taken.existing == 0)
        #expect(try await app.import().succeeded == 2)
        let service = try await app.newService()
        for person in ["person0", "person1"] {
            let after = try await service.domain.signIn.native(service.device(person: person))
            #expect(after.account.id == first.account.id)
        }
    }

    @Test("don't come back by the file when they have deleted their accounts", arguments: Engine.allCases)
    func deleted(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 1)
        _ = try await app.system.domain.signIn.native(app.system.device(person: "person0"))
        try await app.export()
        try await app.accept()
        let store = try await engine.store()
        let service = try await app.newService(store: store)
        let lines = try await app.lines()
        try await app.receive(lines, in: store)
        #expect(try await app.import(into: store).succeeded == 1)
        let account = try await service.domain.signIn.native(service.device(person: "person0")).account.id
        _ = try await service.domain.directory.delete(account)
        let again = try await app.receive(lines, in: store)
        #expect(again.deleted == 1 && again.new == 0)
        #expect(try await app.import(into: store) == TransferOutcome())
        #expect(try await store.accountCount() == 0)
        // A row that was read before the deletion doesn't bring the account back either.
        let line = try TransferLine(parsing: try #require(lines.first).utf8)
        let moment = Timestamp(app.system.clock.now)
        try await store.write { connection in
            _ = try connection.execute(
                """
                INSERT INTO transfers (id, source, target, account_id, is_received, transfer_subject, state, updated_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'exported', ?7)
                """,
                [
                    .id(TransferID(at: moment, randomness: [UInt8](repeating: 7, count: 10))), .text(line.from),
                    .text(line.to), .id(line.account), .flag(true), .text(line.transferSubject), .time(moment),
                ])
        }
        #expect(try await app.import(into: store, over: TableApple(app.people)).succeeded == 0)
        #expect(try await store.accountCount() == 0)
        #expect(try await store.countToImport(to: MovingApp.new) == 0)
    }

    @Test("are forgotten ninety days later if they were never moved", arguments: Engine.allCases)
    func forgotten(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 2)
        for person in ["person0", "person1"] {
            _ = try await app.system.domain.signIn.native(app.system.device(person: person))
        }
        try await app.export()
        try await app.accept()
        let store = try await engine.store()
        let service = try await app.newService(store: store)
        try await app.receive(app.lines(), in: store)
        try await app.import(into: store, limit: 1)
        app.system.clock.advance(by: .days(89))
        await service.domain.sweeper.sweep()
        #expect(try await store.peopleLeft(to: MovingApp.new, after: nil, limit: 10).count == 1)
        app.system.clock.advance(by: .days(2))
        await service.domain.sweeper.sweep()
        #expect(try await store.peopleLeft(to: MovingApp.new, after: nil, limit: 10).isEmpty)
        #expect(try await store.transferCounts(to: MovingApp.new).moved == 1)
        // They came from elsewhere, and aren't this service's to hand on.
        let received = try await store.exportedPeople(
            from: MovingApp.former, to: MovingApp.new, after: nil, limit: 10)
        #expect(received.isEmpty)
    }

    @Test(
        "aren't read from invalid lines",
        arguments: [
            "", "[]", "{}", "{\"account\":\"acc_1\",\"transfer_sub\":\"a\",\"from\":\"A\",\"to\":\"B\"}",
            "{\"account\":\"acc_00000000000000000000000000\",\"transfer_sub\":\"\",\"from\":\"A\",\"to\":\"B\"}",
            "{\"account\":\"acc_00000000000000000000000000\",\"transfer_sub\":1,\"from\":\"A\",\"to\":\"B\"}",
            "{\"account\":\"acc_00000000000000000000000000\",\"transfer_sub\":\"a\",\"from\":\"A\"}",
        ])
    func lines(_ text: String) {
        #expect(throws: AccountError(.requestInvalid, "")) { try TransferLine(parsing: text.utf8) }
    }

    @Test("have lines that are read as they were written")
    func roundTrip() throws {
        var line = TransferLine(
            from: "A\"\\\u{1}", to: "B", account: AccountID(rawValue: "acc_00000000000000000000000000"),
            transferSubject: "000123.aé.0001")
        #expect(try TransferLine(parsing: line.text.utf8) == line)
        line.identity = IdentityID(rawValue: "idn_00000000000000000000000000")
        #expect(try TransferLine(parsing: line.text.utf8) == line)
    }
}
