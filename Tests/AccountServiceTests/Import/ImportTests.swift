import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@testable import AccountService

@Suite("Imports from another service", .eachEngine, .timeLimit(.minutes(3)))
struct ImportTests {
    static let team: TeamID = "JUICETEAM1"

    static func person(
        _ id: String, apple: String? = nil, email: String? = nil, isVerified: Bool = true,
        password: ImportedPassword? = nil, line: Int = 1
    ) throws -> ImportedPerson {
        var person = ImportedPerson(line: line, formerIDs: [FormerID(source: "firebase", id: id)])
        if let apple { person.identities.append(try #require(.apple(apple, team: team))) }
        if let email {
            person.identities.append(try #require(.email(email, isVerified: isVerified, password: password)))
        }
        return person
    }

    static func importer(_ system: PasswordSystem, _ options: ImportOptions = ImportOptions()) throws
        -> PersonImport
    {
        PersonImport(
            store: system.store, keyRing: try KeyRing(parsing: KeyRingTests.one), options: options,
            environment: system.clock.appleIDEnvironment)
    }

    /// Imports people, and expects that a dry run says the same before.
    @discardableResult
    static func take(
        _ people: [ImportedPerson], in system: PasswordSystem, looksUp: Bool = false,
        _ options: ImportOptions = ImportOptions()
    ) async throws -> [ImportOutcome] {
        var rehearsal = ImportRehearsal(in: system.store, options: options)
        let before = try await system.store.accountCount()
        let expected = try await rehearsal.run(people)
        #expect(try await system.store.accountCount() == before)
        let importer = try importer(system, options)
        let outcomes = try await importer.write(importer.prepare(people), looksUp: looksUp)
        #expect(outcomes == expected)
        return outcomes
    }

    @Test("a person signs in with the password of the other service, and has a hash of ours then")
    func passwords() async throws {
        let system = try await PasswordSystem()
        let outcomes = try await Self.take(
            [
                Self.person("1", email: PasswordSystem.address, password: .hash(ForeignPasswordHashTests.bcrypt)),
                Self.person("2", email: "two@example.com", password: .unknown),
            ], in: system)
        #expect(outcomes.map(\.kind) == [.new, .new] && outcomes.map(\.needsNewPassword) == [false, true])
        let hashes: @Sendable () async throws -> [String] = {
            let seal = Seal(.password, keyRing: try KeyRing(parsing: KeyRingTests.one))
            return try await system.store.read { connection in
                try connection.query("SELECT identity_id, sealed FROM passwords", []) {
                    try ($0.text(), $0.bytes())
                }
            }.map { String(decoding: try seal.open($0.1, row: $0.0), as: UTF8.self) }
        }
        #expect(try await hashes() == [ForeignPasswordHashTests.bcrypt])
        await expectError(.wrongCredentials) {
            _ = try await system.passwords.signIn(
                email: PasswordSystem.address, password: PasswordSystem.otherPassword, client: nil, from: .unknown)
        }
        let first = try await system.passwords.signIn(
            email: "Zoe@EXAMPLE.com", password: ForeignPasswordHashTests.password, client: nil, from: .unknown)
        #expect(!first.isNewAccount)
        #expect(try await hashes().allSatisfy { $0.hasPrefix("scrypt$") })
        _ = try await system.passwords.signIn(
            email: PasswordSystem.address, password: ForeignPasswordHashTests.password, client: nil, from: .unknown)
    }

    @Test("a password that bcrypt truncates keeps its hash, so that a wrong ending doesn't become the password")
    func longPassword() async throws {
        let system = try await PasswordSystem()
        try await Self.take(
            [Self.person("1", email: "a@example.com", password: .hash(ForeignPasswordHashTests.longBcrypt))],
            in: system)
        let beginning = ForeignPasswordHashTests.longPassword
        for password in [beginning + "wrong", beginning + "right"] {
            _ = try await system.passwords.signIn(
                email: "a@example.com", password: Password(password), client: nil, from: .unknown)
        }
        await expectError(.wrongCredentials) {
            _ = try await system.passwords.signIn(
                email: "a@example.com", password: Password(String(beginning.dropFirst())), client: nil, from: .unknown)
        }
    }

    @Test("a repeated import skips everybody, even after an interrupted run")
    func again() async throws {
        let system = try await PasswordSystem()
        let people = try (0..<90).map {
            try Self.person("\($0)", apple: "sub-\($0)", email: "p\($0)@example.com", password: .unknown)
        }
        try await Self.take(Array(people.prefix(40)), in: system)
        let outcomes = try await Self.take(people, in: system)
        #expect(outcomes.count { $0.kind == .here } == 40 && outcomes.count { $0.kind == .new } == 50)
        let again = try await Self.take(people, in: system, looksUp: true)
        #expect(again.allSatisfy { $0.kind == .here })
        #expect(try await system.store.accountCount() == 90)
    }

    @Test("of two people in a file with one sub or one address, the second is left out")
    func doubles() async throws {
        let system = try await PasswordSystem()
        let first = try await Self.take(
            [
                Self.person("1", apple: "sub"), Self.person("2", apple: "sub"), Self.person("1", apple: "sub"),
                Self.person("3", email: "A@example.com"), Self.person("4", email: "a@EXAMPLE.com"), Self.person("5"),
            ], in: system)
        #expect(
            first.map(\.kind) == [
                .new, .leftOut(.otherPerson), .repeated, .new, .leftOut(.otherPerson), .leftOut(.noIdentity),
            ])
        // Another batch brings the second people again.
        let second = try await Self.take(
            [Self.person("2", apple: "sub"), Self.person("4", email: "a@example.com")], in: system)
        #expect(second.map(\.kind) == [.leftOut(.otherPerson), .leftOut(.otherPerson)])
    }

    @Test("an address alone matches an account only if it was verified there and is the person's only identity")
    func addresses() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let outcomes = try await Self.take(
            [
                Self.person("1", email: PasswordSystem.address, isVerified: false, password: .hash("x")),
                Self.person("2", apple: "attacker", email: PasswordSystem.address),
                Self.person(
                    "3", email: PasswordSystem.address, password: .hash(ForeignPasswordHashTests.firebaseSample)),
            ], in: system)
        #expect(outcomes.map(\.kind) == [.leftOut(.addressTaken), .leftOut(.addressTaken), .here])
        // The password from here stays.
        _ = try await system.passwords.signIn(
            email: PasswordSystem.address, password: PasswordSystem.password, client: nil, from: .unknown)
        await expectError(.wrongCredentials) {
            _ = try await system.passwords.signIn(
                email: PasswordSystem.address, password: Password("user1password"), client: nil, from: .unknown)
        }
    }

    @Test("the password of an unverified address is imported only if the operator allows it")
    func unverified() async throws {
        let system = try await PasswordSystem()
        let person = try Self.person(
            "1", email: "a@example.com", isVerified: false, password: .hash(ForeignPasswordHashTests.bcrypt))
        #expect(try await Self.take([person], in: system).map(\.needsNewPassword) == [true])
        await expectError(.wrongCredentials) {
            _ = try await system.passwords.signIn(
                email: "a@example.com", password: ForeignPasswordHashTests.password, client: nil, from: .unknown)
        }
        var options = ImportOptions()
        options.importsUnverifiedPasswords = true
        #expect(try await Self.take([person], in: system, options).map(\.kind) == [.completed])
        let signedIn = try await system.passwords.signIn(
            email: "a@example.com", password: ForeignPasswordHashTests.password, client: nil, from: .unknown)
        #expect(!signedIn.account.emailVerified)
    }

    @Test("an announcement reaches those who must choose a new password, and their reset link proves the address")
    func newPasswords() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        try await Self.take(
            [
                Self.person("1", email: "one@example.com", password: .hash(ForeignPasswordHashTests.bcrypt)),
                Self.person("2", email: "two@example.com", isVerified: false, password: .unknown),
                Self.person("3", apple: "sub"),
            ], in: system)
        var announcement = Announcement(
            name: try #require(Announcement.Name(rawValue: "new-password")), subject: "Welcome", text: "Please choose.")
        announcement.isForMissingPasswords = true
        let administration = MailAdministration(
            store: system.store, writer: system.domain.mailWriter, keyRing: system.keyRing,
            environment: system.clock.appleIDEnvironment)
        let outcome = try await administration.announce(announcement)
        #expect(outcome == AnnouncementOutcome(queued: 1))
        #expect(try await system.mails(.announcement).map(\.recipient) == ["two@example.com"])
        try await system.passwords.finishReset(
            system.resetLink("two@example.com"), newPassword: PasswordSystem.password, from: PasswordSystem.caller)
        let signedIn = try await system.passwords.signIn(
            email: "two@example.com", password: PasswordSystem.password, client: nil, from: .unknown)
        #expect(signedIn.account.emailVerified)
    }

    @Test("a link that signs in proves the address, as a reset does, so that mails about the account go there")
    func provenByLink() async throws {
        let system = try await PasswordSystem()
        let address = "a@example.com"
        try await Self.take([Self.person("1", email: address, isVerified: false)], in: system)
        let first = try await system.finishSignIn(system.signInLink(address), email: address)
        #expect(first.account.emailVerified && !first.isNewAccount)
        let session = try await system.session(of: first)
        #expect(session.account.emailVerified)
        #expect(try await system.mails(.newDevice).map(\.recipient) == [address])
        try await system.link(session)
        #expect(try await system.mails(.linked).map(\.recipient) == [address])
    }

    @Test("a later file adds what the first lacked, and nothing that the person has removed since")
    func completes() async throws {
        let system = try await PasswordSystem()
        try await Self.take([Self.person("1", apple: "sub")], in: system)
        let person = try Self.person(
            "1", apple: "sub", email: "a@example.com", password: .hash(ForeignPasswordHashTests.bcrypt))
        #expect(try await Self.take([person], in: system).map(\.kind) == [.completed])
        #expect(try await Self.take([person], in: system).map(\.kind) == [.here])
        _ = try await system.passwords.signIn(
            email: "a@example.com", password: ForeignPasswordHashTests.password, client: nil, from: .unknown)
        let account = try #require(try await system.store.accounts(after: nil, limit: 2).first)
        #expect(try await system.domain.directory.removePassword(of: account.id))
        #expect(try await Self.take([person], in: system).map(\.kind) == [.here])
    }

    @Test("a person who came here with Apple before the import keeps their account")
    func cameBefore() async throws {
        let system = try await PasswordSystem()
        let record = SignInRecord.sample(at: system.now, .sample("001999.before", email: nil))
        let account = try await system.store.signIn(record).account.id
        system.clock.advance(by: .seconds(1))
        var person = ImportedPerson(line: 1, formerIDs: [FormerID(source: "firebase", id: "1")])
        person.createdAt = system.now - .days(100)
        person.identities = [
            try #require(.apple(record.person.subject.rawValue, team: record.person.team)),
            try #require(.email("b@example.com", isVerified: true)),
        ]
        #expect(try await Self.take([person], in: system).map(\.kind) == [.completed])
        // Mails of the account go on to its first address, although the other service knew the person before.
        let identities = try await system.store.identities(of: account)
        #expect(identities.map(\.provider) == [.apple, .email] && identities.last?.createdAt == system.now)
        // Another person there has the same sub.
        person.formerIDs[0].id = "2"
        #expect(try await Self.take([person], in: system).map(\.kind) == [.leftOut(.otherPerson)])
    }

    @Test("a person whose account was deleted here doesn't come back, and nothing of them stays")
    func deleted() async throws {
        let system = try await PasswordSystem()
        let person = try Self.person("former-id", apple: "sub")
        try await Self.take([person], in: system)
        let account = try #require(try await system.store.accounts(after: nil, limit: 2).first)
        #expect(try await system.store.exportAccount(account.id)?.formerIDs.map(\.id) == ["former-id"])
        _ = try await system.domain.directory.delete(account.id)
        #expect(try await Self.take([person], in: system).map(\.kind) == [.leftOut(.deleted)])
        for table: SQLStatement in ["imported_people", "forgotten_people"] {
            let rows = try await system.store.read { connection in
                try connection.first("SELECT count(*) FROM \(table)", []) { try $0.int64() }
            }
            #expect(rows == (table == "imported_people" ? 0 : 1))
        }
        // Somebody else who comes now doesn't bring them back.
        let people = try [person, Self.person("new", apple: "new")]
        #expect(try await Self.take(people, in: system).map(\.kind) == [.leftOut(.deleted), .new])
    }

    @Test("imports and sign-ins of the same people at one moment make no second account")
    func race() async throws {
        let system = try await PasswordSystem()
        let records = (0..<20).map {
            SignInRecord.sample(at: system.now, .sample(Subject("001999.number-\($0)"), email: nil))
        }
        let people = records.enumerated().map { number, record in
            var person = ImportedPerson(line: 1, formerIDs: [FormerID(source: "firebase", id: "\(number)")])
            person.identities = [
                ImportedIdentity(provider: .apple, team: record.person.team, subject: record.person.subject)
            ]
            return person
        }
        let importer = try Self.importer(system)
        async let outcomes = importer.write(importer.prepare(people), looksUp: false)
        for record in records { _ = try await system.store.signIn(record) }
        #expect(try await outcomes.allSatisfy { [.new, .here].contains($0.kind) })
        #expect(try await system.store.accountCount() == 20)
    }

    @Test("two imports of the same people at one moment make no second account")
    func twoImports() async throws {
        let system = try await PasswordSystem()
        let people = try (0..<60).map {
            try Self.person("\($0)", apple: "sub-\($0)", email: "p\($0)@example.com")
        }
        let importer = try Self.importer(system)
        async let first = importer.write(importer.prepare(people), looksUp: false)
        async let second = importer.write(importer.prepare(people.reversed()), looksUp: false)
        let outcomes = try await first + second
        #expect(outcomes.count { $0.kind == .new } == 60 && outcomes.count { $0.kind == .here } == 60)
        #expect(try await system.store.accountCount() == 60)
    }

    @Test("the check of a database creates no tables, and recognizes the tables of an older siwa")
    func asItIs() async throws {
        let database = try await Engine.current.database()
        let older = Array(AccountSchema.migrations.dropLast())
        #expect(try await database.schemaState(of: AccountSchema.migrations) == .empty)
        #expect(try await database.schemaState(of: AccountSchema.migrations) == .empty, "the look has made nothing")
        try await database.migrate(older, at: 0)
        #expect(try await database.schemaState(of: AccountSchema.migrations) == .older)
        try await database.migrate(AccountSchema.migrations, at: 0)
        #expect(try await database.schemaState(of: AccountSchema.migrations) == .current)
        await #expect(throws: SQLDatabaseError.self) {
            try await database.schemaState(of: older)
        }
    }

    @Test("an id that appears again with other identities adds nothing to the account of the first person")
    func equalIDs() async throws {
        let system = try await PasswordSystem()
        try await Self.take([Self.person("7", apple: "customer")], in: system)
        let drivers = try [
            Self.person("7", apple: "driver"), Self.person("7", email: "driver@example.com"),
        ]
        for driver in drivers {
            #expect(try await Self.take([driver], in: system).map(\.kind) == [.leftOut(.changed)])
        }
        // With a name of its own for the place, both are here.
        var driver = drivers[0]
        driver.formerIDs = [FormerID(source: "drivers", id: "7")]
        #expect(try await Self.take([driver], in: system).map(\.kind) == [.new])
        #expect(try await system.store.accountCount() == 2)
    }

    @Test("if the operator distrusts the addresses of a file, none counts as verified")
    func distrust() async throws {
        let system = try await PasswordSystem()
        var options = ImportOptions()
        options.distrustsAddresses = true
        let people = try [
            Self.person("1", email: "a@example.com", password: .hash(ForeignPasswordHashTests.bcrypt)),
            Self.person("2", apple: "sub", email: "b@example.com"),
        ]
        let outcomes = try await Self.take(people, in: system, options)
        #expect(outcomes.map(\.needsNewPassword) == [true, false] && outcomes.map(\.lacksAddress) == [false, true])
        await expectError(.wrongCredentials) {
            _ = try await system.passwords.signIn(
                email: "a@example.com", password: ForeignPasswordHashTests.password, client: nil, from: .unknown)
        }
    }

    @Test("a first password that a person chooses during the import of their old hash stays")
    func passwordRace() async throws {
        let system = try await PasswordSystem()
        let importer = try Self.importer(system)
        for round in 0..<10 {
            let address = "p\(round)@example.com"
            try await Self.take([Self.person("\(round)", email: address)], in: system)
            let session = try await system.session(
                of: system.finishSignIn(system.signInLink(address), email: address))
            let hash = try Self.person(
                "\(round)", email: address, password: .hash(ForeignPasswordHashTests.firebaseSample))
            async let outcomes = importer.write(importer.prepare([hash]), looksUp: true)
            let isChanged: Bool
            do {
                try await system.passwords.change(
                    current: nil, to: PasswordSystem.otherPassword, endingOthers: false, in: session, from: .unknown)
                isChanged = true
            } catch is AccountError {
                // The import was first, so there is a password to prove now.
                isChanged = false
            }
            #expect(try await outcomes.allSatisfy { [.here, .completed].contains($0.kind) })
            if isChanged { _ = try await system.signIn(address, password: PasswordSystem.otherPassword) }
        }
    }
}
