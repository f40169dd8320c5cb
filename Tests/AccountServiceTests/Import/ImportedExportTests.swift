import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Exports to another siwa", .eachEngine, .timeLimit(.minutes(3)))
struct ImportedExportTests {
    static func export(of store: AccountTransactions) async throws -> [ImportedPerson] {
        var export = PeopleExport(of: store, secretsBy: try KeyRing(parsing: KeyRingTests.one))
        var people: [ImportedPerson] = []
        while case let page = try await export.next(), !page.isEmpty { people += page }
        return people
    }

    private static func forgotten(of store: AccountTransactions) async throws -> [ForgottenPerson] {
        var export = PeopleExport(of: store, secretsBy: nil)
        var people: [ForgottenPerson] = []
        while case let page = try await export.nextForgotten(), !page.isEmpty { people += page }
        return people
    }

    /// Removes the email identity of the only account, as its person does.
    private static func removeAddress(in system: PasswordSystem) async throws {
        let account = try #require(try await system.store.accounts(after: nil, limit: 1).first)
        let email = try #require(
            try await system.store.identities(of: account.id).first { $0.provider == .email })
        let moment = system.now
        try await system.store.write { try $0.markRemoved(email.id, at: moment) }
    }

    private static func providers(in system: PasswordSystem) async throws -> [IdentityProvider] {
        let account = try #require(try await system.store.accounts(after: nil, limit: 1).first)
        return try await system.store.identities(of: account.id).map(\.provider)
    }

    @Test("an export is imported into an empty store, and exported again: both are equal")
    func roundTrip() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.signInWithApple()
        try await system.merge(into: system.makeAccount())
        _ = try await system.store.signIn(.sample(at: system.now, .sample("001999.other", email: nil)))
        var first = try ImportTests.person(
            "1", apple: "sub", email: "a@example.com", password: .hash(ForeignPasswordHashTests.bcrypt))
        first.identities[0].appleTokens = [ImportedAppleToken(client: "com.example.juice", token: "r.token")]
        first.name = PersonName(givenName: "Zoë", nickname: "Otter")
        first.isDisabled = true
        try await ImportTests.take(
            [first, ImportTests.person("2", email: "c@example.com", password: .unknown)], in: system)
        let exported = try await Self.export(of: system.store)
        #expect(exported.count == 4)
        #expect(exported.flatMap(\.identities).flatMap(\.appleTokens).map(\.token).contains("r.token"))
        #expect(exported.compactMap(\.exported).flatMap(\.mergedAccounts).map(\.account) == [apple.account.id])
        let other = try await PasswordSystem()
        #expect(try await other.store.accountCount() == 0)
        let outcomes = try await ImportTests.take(exported, in: other)
        #expect(outcomes.allSatisfy { $0.kind == .new })
        #expect(try await Self.export(of: other.store) == exported)
        #expect(try await other.store.accountMerged(from: apple.account.id) != nil)
        #expect(try await ImportTests.take(exported, in: other).allSatisfy { $0.kind == .here })
        _ = try await other.passwords.signIn(
            email: PasswordSystem.address, password: PasswordSystem.password, client: nil, from: .unknown)
    }

    @Test("an export with an id that is somebody else's here leaves that person out, and imports the others")
    func takenIDs() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        var exported = try await Self.export(of: system.store)
        exported[0].exported?.id = AccountID(at: system.now, randomness: Array(repeating: 1, count: 10))
        exported[0].identities[0].subject = "other@example.com"
        let people = try exported + [ImportTests.person("1", apple: "sub")]
        let importer = try ImportTests.importer(system)
        for looksUp in [false, true] {
            let outcomes = try await importer.write(importer.prepare(people), looksUp: looksUp)
            #expect(outcomes.map(\.kind) == [.leftOut(.idTaken), looksUp ? .here : .new])
        }
        #expect(try await system.store.accountCount() == 2)
    }

    @Test("an exported account that was merged since is not created again")
    func mergedSince() async throws {
        let system = try await PasswordSystem()
        _ = try await system.signInWithApple()
        let exported = try await Self.export(of: system.store)
        try await system.merge(into: system.makeAccount())
        #expect(try await ImportTests.take(exported, in: system).map(\.kind) == [.here])
        #expect(try await system.store.accountCount() == 1)
    }

    @Test("an exported account that was deleted here doesn't come back")
    func deletedExport() async throws {
        let system = try await PasswordSystem()
        _ = try await system.signInWithApple()
        let exported = try await Self.export(of: system.store)
        let account = try #require(exported.first?.exported?.id)
        _ = try await system.domain.directory.delete(account)
        #expect(try await ImportTests.take(exported, in: system).map(\.kind) == [.leftOut(.deleted)])
        #expect(try await system.store.accountCount() == 0)
    }

    @Test("a person who has removed an address doesn't get it back from an old file at the other siwa")
    func removedAddress() async throws {
        let system = try await PasswordSystem()
        let person = try ImportTests.person(
            "1", apple: "sub", email: "a@example.com", password: .hash(ForeignPasswordHashTests.bcrypt))
        try await ImportTests.take([person], in: system)
        try await Self.removeAddress(in: system)
        let exported = try await Self.export(of: system.store)
        let imported = exported.flatMap(\.formerIDs).compactMap(\.imported)
        #expect(imported == [["apple", "email", "password"]])
        let other = try await PasswordSystem()
        try await ImportTests.take(exported, in: other)
        let outcomes = try await ImportTests.take([person], in: other)
        #expect(outcomes.map(\.kind) == [.here])
        #expect(try await Self.providers(in: other) == [.apple])
        #expect(try await Self.export(of: other.store) == exported)
    }

    @Test("an export of an older version, which doesn't list the imports, is read")
    func olderExport() async throws {
        let system = try await PasswordSystem()
        try await ImportTests.take([ImportTests.person("1", apple: "sub")], in: system)
        var exported = try await Self.export(of: system.store)
        exported[0].formerIDs[0].imported = nil
        let other = try await PasswordSystem()
        let outcomes = try await ImportTests.take(exported, in: other)
        #expect(outcomes.map(\.kind) == [.new])
        let imported = try await Self.export(of: other.store).flatMap(\.formerIDs).compactMap(\.imported)
        #expect(imported == [["apple"]])
    }

    @Test("an exported account that exists here gets nothing back that its person has removed here")
    func removedHere() async throws {
        let system = try await PasswordSystem()
        try await ImportTests.take([ImportTests.person("1", apple: "sub", email: "a@example.com")], in: system)
        var exported = try await Self.export(of: system.store)
        exported[0].formerIDs = []
        let other = try await PasswordSystem()
        try await ImportTests.take(exported, in: other)
        try await Self.removeAddress(in: other)
        let outcomes = try await ImportTests.take(exported, in: other)
        #expect(outcomes.map(\.kind) == [.here])
        #expect(try await Self.providers(in: other) == [.apple])
    }

    @Test("a person whose account was deleted doesn't come back from an old file at the other siwa")
    func deleted() async throws {
        let system = try await PasswordSystem()
        let people = try [ImportTests.person("1", apple: "one"), ImportTests.person("2", apple: "two")]
        try await ImportTests.take(people, in: system)
        let first = try await Self.export(of: system.store).first { $0.formerIDs.map(\.id) == ["1"] }
        let account = try #require(first?.exported?.id)
        _ = try await system.domain.directory.delete(account)
        let (exported, forgotten) = try await (
            Self.export(of: system.store), Self.forgotten(of: system.store)
        )
        #expect(forgotten == [ForgottenPerson(source: "firebase", hash: people[0].formerIDs[0].hash)])
        let other = try await PasswordSystem()
        let importer = try ImportTests.importer(other)
        try await ImportTests.take(exported, in: other)
        for _ in 1...2 { try await importer.forget(forgotten) }
        let outcomes = try await ImportTests.take(people, in: other)
        #expect(outcomes.map(\.kind) == [.leftOut(.deleted), .here])
        #expect(try await Self.forgotten(of: other.store) == forgotten)
        // Somebody who is here stays, even if the other siwa has deleted them.
        try await importer.forget([ForgottenPerson(source: "firebase", hash: people[1].formerIDs[0].hash)])
        let stays = try await ImportTests.take([people[1]], in: other)
        #expect(stays.map(\.kind) == [.here])
    }

    @Test("all deleted people are exported, page by page")
    func pages() async throws {
        let system = try await PasswordSystem()
        let people = (0..<450).map {
            ForgottenPerson(source: $0 < 225 ? "auth0" : "csv", hash: TokenHash(of: "\($0)"))
        }
        try await ImportTests.importer(system).forget(people)
        let exported = try await Self.forgotten(of: system.store)
        #expect(exported.count == 450 && people.allSatisfy(exported.contains))
    }
}
