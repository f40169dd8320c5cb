import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Imports after Apple's notifications", .eachEngine, .timeLimit(.minutes(3)))
struct ImportNotificationTests {
    private static let subject: Subject = "001999.early"

    /// Applies notifications about a person who isn't here, each from some time ago.
    private static func tell(_ changes: [(AppleNotification.Change, ago: Duration)], to system: PasswordSystem)
        async throws
    {
        for (change, ago) in changes {
            let receipt = try await system.store.applyNotification(
                .sample(change, subject, team: ImportTests.team, happenedAt: system.now - ago))
            #expect(receipt.outcome == .unknownSubject)
        }
    }

    private static func person(_ id: String, email: String? = nil) throws -> ImportedPerson {
        var person = try ImportTests.person(id, apple: subject.rawValue, email: email)
        person.identities[0].appleTokens = [ImportedAppleToken(client: "com.example.juice", token: "r.token")]
        return person
    }

    /// The Apple identity of the only account.
    private static func apple(_ system: PasswordSystem) async throws -> Identity? {
        let accounts = try await system.store.accounts(after: nil, limit: 2)
        #expect(accounts.count == 1)
        guard let account = accounts.first else { return nil }
        return try await system.store.identities(of: account.id).first { $0.provider == .apple }
    }

    @Test(
        "an end of consent and forwarding from before the import count, until the person signs in",
        arguments: [false, true])
    func early(looksUp: Bool) async throws {
        let system = try await PasswordSystem()
        try await Self.tell(
            [(.consentRevoked, .hours(3)), (.emailForwarding(false), .hours(2)), (.emailForwarding(true), .hours(4))],
            to: system)
        let person = try Self.person("1", email: "a@example.com")
        let outcomes = try await ImportTests.take([person], in: system, looksUp: looksUp)
        #expect(outcomes.map(\.kind) == [.new])
        let apple = try #require(try await Self.apple(system))
        #expect(apple.access.ended == AppleAccess.End(at: system.now - .hours(3), reason: .appleConsentRevoked))
        #expect(apple.access.forwardsEmail == false)
        #expect(try await system.store.appleTokens(of: apple.id).isEmpty)
        let back = try await system.store.signIn(
            .sample(at: system.now, .sample(Self.subject, team: ImportTests.team, email: nil)))
        #expect(!back.isNewAccount && back.account.appleAccess.ended == nil)
    }

    @Test("an end of consent from before the person's last sign-in with Apple at the other service doesn't count")
    func outdated() async throws {
        let system = try await PasswordSystem()
        try await Self.tell([(.consentRevoked, .hours(2))], to: system)
        var person = try Self.person("1")
        person.lastSignInAt = system.now - .hours(1)
        try await ImportTests.take([person], in: system)
        let apple = try #require(try await Self.apple(system))
        #expect(apple.access.ended == nil)
        #expect(try await system.store.appleTokens(of: apple.id).count == 1)
    }

    @Test("an end of consent counts if the person may have signed in there with another identity")
    func uncertain() async throws {
        let system = try await PasswordSystem()
        try await Self.tell([(.consentRevoked, .hours(2))], to: system)
        var person = try Self.person("1", email: "a@example.com")
        person.lastSignInAt = system.now - .hours(1)
        try await ImportTests.take([person], in: system)
        let apple = try #require(try await Self.apple(system))
        #expect(apple.access.ended?.at == system.now - .hours(2))
    }

    @Test("an Apple Account that was deleted is not imported", arguments: [false, true])
    func deleted(looksUp: Bool) async throws {
        let system = try await PasswordSystem()
        try await Self.tell([(.accountDeleted, .hours(1))], to: system)
        let alone = try await ImportTests.take([Self.person("1")], in: system, looksUp: looksUp)
        #expect(alone.map(\.kind) == [.leftOut(.appleAccountDeleted)])
        #expect(try await system.store.accountCount() == 0)
        let person = try Self.person("2", email: "a@example.com")
        let outcomes = try await ImportTests.take([person], in: system, looksUp: looksUp)
        #expect(outcomes.map(\.kind) == [.new])
        #expect(try await Self.apple(system) == nil)
        let again = try await ImportTests.take([person], in: system)
        #expect(again.map(\.kind) == [.here])
    }

    @Test("the consent by which a deleted Apple Account joined an exported account is withdrawn")
    func deletedWithConsent() async throws {
        let other = try await PasswordSystem()
        try await ImportTests.take([Self.person("1", email: "a@example.com")], in: other)
        var exported = try await ImportedExportTests.export(of: other.store)
        let ids = [UInt8(1), 2].map { ConsentID(at: other.now, randomness: Array(repeating: $0, count: 10)) }
        exported[0].exported?.consents = zip(ids, [Consent.Purpose.linkedIdentity, .phone]).map { id, purpose in
            PortableConsent(
                id: id, purpose: purpose.rawValue, textVersion: "1", givenAt: other.now, session: "ses_1",
                client: "com.example.juice", address: nil, device: nil, withdrawnAt: nil)
        }
        let apple = try #require(exported[0].identities.firstIndex { $0.provider == .apple })
        exported[0].identities[apple].exported?.linkConsent = ids[0]
        let system = try await PasswordSystem()
        try await Self.tell([(.accountDeleted, .hours(1))], to: system)
        try await ImportTests.take(exported, in: system)
        let consents = try await ImportedExportTests.export(of: system.store).flatMap { $0.exported?.consents ?? [] }
        #expect(consents.first { $0.id == ids[0] }?.withdrawnAt == system.now)
        #expect(consents.first { $0.id == ids[1] }.map { $0.withdrawnAt == nil } == true)
        let audit = try await system.store.auditEntries(of: nil, before: nil, limit: 100)
            .filter { $0.event == .consentWithdrawn }
        #expect(audit.map(\.subject) == [ids[0].rawValue])
        #expect(audit.map(\.actor.kind) == [.apple])
    }

    @Test("an end of consent counts for an identity that a later file adds to an account")
    func completed() async throws {
        let system = try await PasswordSystem()
        try await ImportTests.take([ImportTests.person("1", email: "a@example.com")], in: system)
        try await Self.tell([(.consentRevoked, .hours(1))], to: system)
        let outcomes = try await ImportTests.take([Self.person("1", email: "a@example.com")], in: system)
        #expect(outcomes.map(\.kind) == [.completed])
        let apple = try #require(try await Self.apple(system))
        #expect(apple.access.ended?.at == system.now - .hours(1))
    }
}
