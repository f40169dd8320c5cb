import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Exports to another siwa", .eachEngine, .timeLimit(.minutes(3)))
struct ImportedExportTests {
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

    @Test("a person who has removed an address doesn't get it back from an old file at the other siwa")
    func removedAddress() async throws {
        let system = try await PasswordSystem()
        let person = try ImportTests.person(
            "1", apple: "sub", email: "a@example.com", password: .hash(ForeignPasswordHashTests.bcrypt))
        try await ImportTests.take([person], in: system)
        try await Self.removeAddress(in: system)
        let exported = try await ImportTests.export(of: system.store)
        let imported = exported.flatMap(\.formerIDs).compactMap(\.imported)
        #expect(imported == [["apple", "email", "password"]])
        let other = try await PasswordSystem()
        try await ImportTests.take(exported, in: other)
        let outcomes = try await ImportTests.take([person], in: other)
        #expect(outcomes.map(\.kind) == [.here])
        #expect(try await Self.providers(in: other) == [.apple])
        #expect(try await ImportTests.export(of: other.store) == exported)
    }

    @Test("an export of an older version, which doesn't list the imports, is read")
    func olderExport() async throws {
        let system = try await PasswordSystem()
        try await ImportTests.take([ImportTests.person("1", apple: "sub")], in: system)
        var exported = try await ImportTests.export(of: system.store)
        exported[0].formerIDs[0].imported = nil
        let other = try await PasswordSystem()
        let outcomes = try await ImportTests.take(exported, in: other)
        #expect(outcomes.map(\.kind) == [.new])
        let imported = try await ImportTests.export(of: other.store).flatMap(\.formerIDs).compactMap(\.imported)
        #expect(imported == [["apple"]])
    }

    @Test("an exported account that exists here gets nothing back that its person has removed here")
    func removedHere() async throws {
        let system = try await PasswordSystem()
        try await ImportTests.take([ImportTests.person("1", apple: "sub", email: "a@example.com")], in: system)
        var exported = try await ImportTests.export(of: system.store)
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
        let first = try await ImportTests.export(of: system.store).first { $0.formerIDs.map(\.id) == ["1"] }
        let account = try #require(first?.exported?.id)
        _ = try await system.domain.directory.delete(account)
        let (exported, forgotten) = try await (
            ImportTests.export(of: system.store), Self.forgotten(of: system.store)
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
