import AccountDatabase
import AccountEngines
import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@Suite("People of an app that moves to another team", .timeLimit(.minutes(3)))
struct TransferStageTests {
    @Test(
        "keep account, name, sessions and webhooks when they sign in before they were moved", arguments: Engine.allCases
    )
    func lazily(on engine: Engine) async throws {
        let hook = InProcessHook(name: "backend") { _ in }
        let app = try await MovingApp(engine, hooks: [hook])
        let before = try await app.system.domain.signIn.native(app.system.device(hidesEmail: true))
        try await app.export()
        // Asking Apple changes nobody.
        #expect(try await app.system.domain.signIn.native(app.system.device()).account.id == before.account.id)
        try await app.accept()
        let service = try await app.newService()
        let after = try await service.domain.signIn.native(service.device(name: nil))
        #expect(
            !after.isNewAccount && after.account.id == before.account.id && after.account.name?.givenName == "Johnny")
        #expect(after.account.email != before.account.email && after.account.isPrivateEmail)
        let people = try await service.store.people(of: before.account.id)
        #expect(people.count == 1 && people[0].hasPrefix("CIDERTEAM2 "))
        #expect(
            try await service.domain.sessions.authenticate(accessToken: before.tokens.accessToken).account.id
                == after.account.id)

        let events = try await service.store.accountEvents(of: after.account.id, after: 0, limit: 100)
        #expect(events.filter { $0.kind == .identityTransferred }.map(\.reason) == ["sign_in"])
        let audit = try await service.store.auditEntries(of: after.account.id, before: nil, limit: 100)
        #expect(audit.filter { $0.event == .identityTransferred }.map(\.detail) == ["sign_in"])
        let moment = Timestamp(service.clock.now) + .seconds(1)
        let lease = QueueLease(owner: "test", at: moment, until: moment + .minutes(1), limit: 10)
        var told: [AccountNotice] = []
        while let pending = try await service.store.leaseNotices(for: "backend", lease).first {
            told.append(pending.notice)
            _ = try await service.store.endNoticeAttempt(pending.notice.id, for: "backend", owner: "test", .taken)
        }
        #expect(told.map(\.kind) == [.accountCreated, .identityTransferred])
        let identity = try await service.store.identities(of: after.account.id).first
        #expect(told.last?.identityID == identity?.id)
        // The import has nothing left to do.
        #expect(try await app.import() == TransferOutcome())
        #expect(try await service.store.transferCounts(to: MovingApp.new).moved == 1)
    }

    @Test("are moved by the import, and sign in as before", arguments: Engine.allCases)
    func imported(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 3)
        var accounts: [AccountID] = []
        for number in 0..<3 {
            let person = try await app.system.domain.signIn.native(
                app.system.device(person: "person\(number)", hidesEmail: number == 0))
            accounts.append(person.account.id)
        }
        try await app.accept()
        // Nobody has asked Apple yet, so nobody knows whose transfer_sub it is.
        let service = try await app.newService()
        await #expect(throws: AccountError.transferNotCompleted) {
            try await service.domain.signIn.native(service.device(person: "person2"))
        }
        #expect(try await app.export(proving: true).succeeded == 3)
        let outcome = try await app.import()
        #expect(outcome.succeeded == 3 && outcome.failures == 0 && outcome.left == 0)
        for number in 0..<3 {
            let identity = try #require(try await service.store.identities(of: accounts[number]).first)
            #expect(identity.team == MovingApp.new)
            #expect(identity.isPrivateEmail == (number == 0))
            #expect(identity.email == "person\(number)@example.com" || number == 0)
            let signedIn = try await service.domain.signIn.native(service.device(person: "person\(number)"))
            #expect(signedIn.account.id == accounts[number] && signedIn.account.email == identity.email)
        }
        #expect(try await service.store.accountCount() == 3)
    }

    @Test("are linked to no other account before they are moved, and keep what they have", arguments: Engine.allCases)
    func linked(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let zoe = try await app.system.domain.signIn.native(app.system.device(person: "zoe")).account.id
        let johnny = try await app.system.domain.signIn.native(app.system.device())
        try await app.export()
        try await app.accept()
        let service = try await app.newService()
        let session = try await service.domain.sessions.authenticate(accessToken: johnny.tokens.accessToken)
        let nonce = try service.domain.challenges.make(for: .link, session: session.session.id).nonce
        let redeemed = service.apple.count(of: "/auth/token")
        await #expect(throws: AccountError.transferNotCompleted) {
            _ = try await service.domain.links.linkApple(
                in: session, with: service.device(person: "zoe", nonce: nonce), consent: nil, from: .unknown)
        }
        #expect(service.apple.count(of: "/auth/token") == redeemed, "their code is not redeemed")
        let revocations = try await service.store.read { connection in
            try connection.first("SELECT count(*) FROM outbox WHERE kind = 'revocation'", []) { try $0.int64() }
        }
        #expect(revocations == 0)
        #expect(try await service.domain.signIn.native(service.device(person: "zoe")).account.id == zoe)
    }

    @Test("get no second account from a server with the former team's settings", arguments: Engine.allCases)
    func formerSettings(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 2)
        var accounts: [AccountID] = []
        for number in 0..<2 {
            let person = try await app.system.domain.signIn.native(app.system.device(person: "person\(number)"))
            accounts.append(person.account.id)
        }
        func expectRefusal(_ person: String) async {
            await #expect(throws: AccountError.transferNotCompleted) {
                try await app.system.domain.signIn.native(app.system.device(person: person))
            }
        }
        try await app.accept()
        await expectRefusal("person0")
        #expect(app.system.apple.count(of: "/auth/token") == 2, "their code is not redeemed")
        try await app.export()
        await expectRefusal("person0")
        let service = try await app.newService()
        for (number, account) in accounts.enumerated() {
            let moved = try await service.domain.signIn.native(service.device(person: "person\(number)"))
            #expect(moved.account.id == account)
        }
        await expectRefusal("person1")
        #expect(try await service.store.accountCount() == 2)
    }

    @Test("are moved once when they sign in while the import comes to them", arguments: Engine.allCases)
    func atOnce(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 4)
        var accounts: [String: AccountID] = [:]
        for number in 0..<4 {
            let person = "person\(number)"
            accounts[person] = try await app.system.domain.signIn.native(app.system.device(person: person)).account.id
        }
        try await app.export()
        try await app.accept()
        let service = try await app.newService()
        async let importing = app.import()
        let found = try await withThrowingTaskGroup(
            of: (String, AccountID).self, returning: [String: AccountID].self
        ) { group in
            for person in accounts.keys {
                group.addTask {
                    (person, try await service.domain.signIn.native(service.device(person: person)).account.id)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(found == accounts)
        #expect(try await importing.failures == 0)
        #expect(try await service.store.accountCount() == 4)
        #expect(try await service.store.transferCounts(to: MovingApp.new).moved == 4)
        for account in accounts.values {
            let events = try await service.store.accountEvents(of: account, after: 0, limit: 100)
            #expect(events.count { $0.kind == .identityTransferred } == 1)
        }
    }

    @Test("see it in the state of their credential, until they sign in again", arguments: Engine.allCases)
    func states(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let before = try await app.system.domain.signIn.native(app.system.device())
        let formerUser = try #require(try await app.system.store.identities(of: before.account.id).first).subject
        func state(_ system: TestSystem, _ user: Subject?, _ token: String) async throws -> CredentialState {
            let session = try await system.domain.sessions.authenticateAllowingEndedSession(token)
            return try await system.domain.credentialStates.state(of: user, for: session)
        }
        #expect(try await state(app.system, formerUser, before.tokens.accessToken) == .authorized)
        try await app.export()
        try await app.accept()
        let service = try await app.newService()
        let line = try TransferLine(parsing: try #require(try await app.lines().first).utf8)
        let digest = TokenHash(of: line.transferSubject.rawValue).bytes
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        func expectTransferred(_ user: Subject?) async throws {
            let session = try await service.domain.sessions.authenticateAllowingEndedSession(before.tokens.accessToken)
            let standing = try await service.domain.credentialStates.standing(of: user, for: session)
            #expect(standing.state == .transferred && standing.transferSubjectHash == digest)
        }
        // Before the import.
        for user in [nil, formerUser] { try await expectTransferred(user) }
        try await app.import()
        let user = try #require(try await service.store.identities(of: before.account.id).first).subject
        for user in [nil, formerUser] { try await expectTransferred(user) }
        #expect(try await state(service, user, before.tokens.accessToken) == .authorized)
        let after = try await service.domain.signIn.native(service.device())
        for user in [nil, user] { #expect(try await state(service, user, after.tokens.accessToken) == .authorized) }
        #expect(try await state(service, formerUser, after.tokens.accessToken) == .transferred)
        #expect(try await state(service, "000000.nobody.0000", after.tokens.accessToken) == .notFound)
    }

    @Test("prove who they are in a session from before", arguments: Engine.allCases)
    func reauthentication(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let before = try await app.system.domain.signIn.native(app.system.device())
        try await app.export()
        try await app.accept()
        let service = try await app.newService()
        let session = try await service.domain.sessions.authenticate(accessToken: before.tokens.accessToken)
        func challenge() throws -> String {
            try service.domain.challenges.make(for: .reauthenticate, session: session.session.id).nonce
        }
        await #expect(throws: AccountError.self, "somebody else") {
            try await service.domain.reauthentications.reauthenticate(
                session, with: service.device(person: "zoe", nonce: challenge()), from: .unknown)
        }
        _ = try await service.domain.reauthentications.reauthenticate(
            session, with: service.device(nonce: challenge()), from: .unknown)
        #expect(try await service.store.people(of: before.account.id).allSatisfy { $0.hasPrefix("CIDERTEAM2 ") })
        #expect(try await app.import() == TransferOutcome())
    }

    @Test("have sixty days; afterwards those who are left are listed, and get new accounts", arguments: Engine.allCases)
    func sixtyDays(on engine: Engine) async throws {
        let app = try await MovingApp(engine, people: 2)
        for person in ["person0", "person1"] {
            _ = try await app.system.domain.signIn.native(app.system.device(person: person))
        }
        try await app.export()
        try await app.accept()
        #expect(try await app.import(limit: 1).succeeded == 1)
        app.system.clock.advance(by: .days(61))
        let outcome = try await app.import()
        #expect(outcome.succeeded == 0 && outcome.failed == [.appleRefused: 1])
        let store = app.system.store
        let left = try await store.peopleLeft(to: MovingApp.new, after: nil, limit: 10)
        #expect(left.map(\.failure) == [.appleRefused])
        let counts = try await store.transferCounts(to: MovingApp.new)
        #expect(counts.moved == 1 && counts.waiting == 0 && counts.exported == 0)
        let service = try await app.newService()
        var isNew: [Bool] = []
        for person in ["person0", "person1"] {
            isNew.append(try await service.domain.signIn.native(service.device(person: person)).isNewAccount)
        }
        #expect(isNew.count { $0 } == 1)
    }

    @Test("who delete their accounts leave no data of a transfer", arguments: Engine.allCases)
    func deleted(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let before = try await app.system.domain.signIn.native(app.system.device())
        try await app.export()
        _ = try await app.system.domain.directory.delete(before.account.id)
        #expect(try await app.lines().isEmpty)
        try await app.accept()
        #expect(try await app.import() == TransferOutcome())
    }

    @Test("keep their sessions when Apple's tokens from before are dead", arguments: Engine.allCases)
    func deadTokens(on engine: Engine) async throws {
        let app = try await MovingApp(engine)
        let before = try await app.system.domain.signIn.native(app.system.device())
        let store = app.system.store
        let session = try await app.system.domain.sessions.authenticate(accessToken: before.tokens.accessToken)
        let identity = session.session.identityID
        let token = try #require(try await store.appleTokens(of: identity).first)
        try await app.export()
        try await app.accept()
        app.system.clock.advance(by: .days(2))
        let service = try await app.newService()
        await service.domain.dailyCheck.askAboutDue()
        #expect(service.apple.count(of: "/auth/token") == 0)
        try await app.import()
        let now = Timestamp(service.clock.now)
        #expect(try await store.endTokenCheck(token, .dead, at: now) == .goesOn)
        #expect(try await store.appleTokens(of: identity).isEmpty)
        #expect(try await store.endNextDeadGrant(foundBefore: now + .days(1), at: now) == nil)
        #expect(try await store.session(session.session.id)?.ended == nil)
    }
}
