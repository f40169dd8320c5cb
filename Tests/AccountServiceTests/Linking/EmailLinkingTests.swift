import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import TaskSignals
import Testing

@testable import AccountService

@Suite("A link to an address", .eachEngine)
struct EmailLinkingTests {
    /// Asks for a link of an address.
    /// - Returns: the secret in the mail that the address got; nil if it got no link.
    private func ask(
        _ session: StoredSession, _ system: PasswordSystem, email address: String = PasswordSystem.address,
        consent: String? = nil
    ) async throws -> LinkSecret? {
        system.clock.advance(by: .seconds(1))
        let before = try await system.mails(.linkAddress).count
        try await system.passwords.requestLink(
            in: session, email: address, password: PasswordSystem.password,
            consent: consent.map { ConsentGiven(textVersion: $0) }, from: PasswordSystem.caller)
        let mails = try await system.mails(.linkAddress)
        return mails.count > before ? mails.last?.secret : nil
    }

    /// Makes an account with Apple that hides nothing and has no address to sign in with.
    private func stranger(_ number: Int, _ system: PasswordSystem) async throws -> StoredSession {
        let session = SignInRecord.NewSession.sample(at: system.now, expiresAt: system.now + .days(1))
        let person = SignInRecord.Person.sample(Subject("001999.stranger\(number)"))
        _ = try await system.store.signIn(.sample(at: system.now, person, session: session))
        return try #require(await system.store.session(session.id))
    }

    /// Asks for a link of an address, and waits until the request is written.
    private func request(_ session: StoredSession, _ address: String, _ system: PasswordSystem) async throws {
        try await system.passwords.requestLink(
            in: session, email: address, password: PasswordSystem.password, consent: nil, from: .unknown)
        await system.domain.finishing.idle()
    }

    private func finish(
        _ secret: LinkSecret, _ session: StoredSession, _ system: PasswordSystem
    ) async throws -> [LinkedIdentity] {
        try await system.passwords.finishLink(secret, in: session, from: PasswordSystem.caller)
    }

    @Test("The person signs in with Apple and with the password, and gets a mail")
    func links() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let secret = try #require(try await ask(session, system))
        #expect(try await system.links.list(in: session.session).count == 1)
        #expect(try await system.mails(.linkAddress).map(\.recipient) == [PasswordSystem.address])
        let expiries = try await system.store.read { connection in
            try connection.query("SELECT expires_at FROM mails WHERE kind = 'link_address'", []) { try $0.time() }
        }
        #expect(expiries == [system.now + .minutes(15)], "the mail is not sent after its link is too old")
        let linked = try await finish(secret, session, system)
        #expect(linked.map(\.provider) == ["apple", "email"] && linked[1].hasPassword)
        #expect(linked[1].address == PasswordSystem.address)
        #expect(try await system.signIn().account.id == session.account.id)
        #expect(try await system.signInWithApple().account.id == session.account.id)
        #expect(try await system.accountCount() == 1)
        #expect(try await system.mails(.linked).map(\.recipient) == [session.account.email])
        #expect(try await system.events(of: session.account.id).contains(.linked))
        #expect(
            try await system.audit(of: session.account.id).isSuperset(of: [.identityLinked, .passwordSet]))
        await expectError(.linkUnknown) { _ = try await finish(secret, session, system) }
        #expect(try await system.count("email_links") == 0)
    }

    @Test("Another session can't use the link, and it can't be used to sign in")
    func bound() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let other = try await system.session(of: system.signInWithApple())
        let zoe = try await system.session(of: system.signInWithApple("zoe"))
        let secret = try #require(try await ask(session, system))
        for foreign in [other, zoe] {
            await expectError(.linkUnknown) { _ = try await finish(secret, foreign, system) }
        }
        await expectError(.linkUnknown) { try await system.finishSignIn(secret, email: PasswordSystem.address) }
        await expectError(.linkUnknown) {
            try await system.finishSignUp(secret, .repeated(PasswordSystem.password))
        }
        #expect(try await finish(secret, session, system).count == 2)
    }

    @Test("A network whose requests have all places for hashes gives one to another network", .timeLimit(.minutes(2)))
    func busy() async throws {
        let gate = ThreadGate()
        let system = try await PasswordSystem(willHash: { _ in gate.pass() })
        let hasher = system.passwords.hasher
        let session = try await system.session(of: system.signInWithApple())
        let refused = Lock<[String]>([])
        let request: @Sendable (Int, String) async throws -> Void = { number, network in
            do {
                try await system.passwords.requestLink(
                    in: session, email: "ann\(number)@example.com", password: PasswordSystem.password, consent: nil,
                    from: Caller(address: network))
            } catch let error as AccountError where error.code == .tooBusy {
                refused.withLock { $0.append(network) }
            }
        }
        let first = (0..<17).map { number in Task { try await request(number, "192.0.2.1") } }
        await until { hasher.running == 1 && hasher.waiting == 16 }
        let other = Task { try await request(17, "192.0.2.2") }
        await until { !refused.withLock { $0.isEmpty } }
        #expect(refused.withLock { $0 } == ["192.0.2.1"])
        gate.open()
        for task in first + [other] { try await task.value }
        await system.domain.finishing.idle()
    }

    @Test("An address of another account gets a mail that says so, and the answer is the same")
    func taken() async throws {
        let system = try await PasswordSystem()
        let owner = try await system.makeAccount()
        let session = try await system.session(of: system.signInWithApple())
        #expect(try await ask(session, system) == nil)
        #expect(try await system.mails(.accountExists).map(\.recipient) == [PasswordSystem.address])
        #expect(try await system.signIn().account.id == owner.account.id)
        #expect(try await system.links.list(in: session.session).count == 1)
        system.clock.advance(by: .seconds(1))
        try await system.passwords.signUp(
            email: PasswordSystem.address, password: PasswordSystem.password, name: nil, browser: nil, returnPath: nil,
            from: .unknown)
        #expect(try await system.mails(.accountExists).map { $0.values["addsToAccount"] } == ["true", nil])
    }

    @Test("An address that signs in by links alone gets a mail that says so")
    func takenWithoutPassword() async throws {
        let system = try await PasswordSystem()
        let address = "links@example.com"
        #expect(try await system.finishSignIn(system.signInLink(address), email: address).isNewAccount)
        let session = try await system.session(of: system.signInWithApple())
        #expect(try await ask(session, system, email: address) == nil)
        #expect(try await system.mails(.accountExists).map { $0.values["way"] } == ["link"])
    }

    @Test("Many accounts can't flood one address, and one account can't send to any number of addresses")
    func flood() async throws {
        let system = try await PasswordSystem()
        let owner = try await system.makeAccount()
        for number in 1...7 {
            let session = try await stranger(number, system)
            for _ in 0..<6 { try await request(session, PasswordSystem.address, system) }
        }
        #expect(try await system.mails(.accountExists).count == 30)
        // The owner is not kept from a link that signs in.
        let link = try await system.signInLink()
        #expect(try await system.finishSignIn(link, email: PasswordSystem.address).account.id == owner.account.id)
        let session = try await stranger(8, system)
        for number in 1...31 { try await request(session, "person\(number)@example.com", system) }
        #expect(try await system.mails(.linkAddress).count == 30)
        system.clock.advance(by: .days(1))
        let tomorrow = try await stranger(8, system)
        try await request(tomorrow, "person31@example.com", system)
        #expect(try await system.mails(.linkAddress).count == 31)
        _ = try await system.domain.directory.delete(tomorrow.account.id)
        #expect(try await system.count("link_requests") > 0)
        _ = try await system.store.sweep(at: system.now + .days(1), sessionsBefore: .start, limit: 100)
        #expect(try await system.count("link_requests") == 0)
    }

    @Test(
        "The number of mails that an account can send doesn't tell whether an address has an account",
        arguments: [true, false])
    func limitTellsNothing(isTaken: Bool) async throws {
        let system = try await PasswordSystem()
        if isTaken { _ = try await system.makeAccount() }
        let session = try await stranger(1, system)
        for number in 1...29 { try await request(session, "own\(number)@example.com", system) }
        try await request(session, PasswordSystem.address, system)
        try await request(session, "last@example.com", system)
        #expect(try await system.mails(.linkAddress, to: "own29@example.com").count == 1)
        #expect(try await system.mails(.linkAddress, to: "last@example.com").isEmpty)
    }

    @Test("An account has thirty requests for addresses with accounts, and one that sends no mail counts, too")
    func manyTaken() async throws {
        let system = try await PasswordSystem()
        for number in 1...31 {
            let address = "taken\(number)@example.com"
            _ = try await system.finishSignIn(system.signInLink(address), email: address)
        }
        let session = try await stranger(1, system)
        for number in 1...31 { try await request(session, "taken\(number)@example.com", system) }
        #expect(try await system.mails(.accountExists).count == 30)
        let second = try await stranger(2, system)
        for _ in 1...6 { try await request(second, "taken1@example.com", system) }
        #expect(try await system.mails(.accountExists).count == 35)
        for number in 2...31 { try await request(second, "taken\(number)@example.com", system) }
        #expect(try await system.mails(.accountExists).count == 35 + 24)
    }

    @Test(
        "The export of the account that asks doesn't tell whether the address has an account", arguments: [true, false])
    func exportTellsNothing(isTaken: Bool) async throws {
        let system = try await PasswordSystem()
        if isTaken { _ = try await system.makeAccount() }
        let session = try await stranger(1, system)
        try await request(session, PasswordSystem.address, system)
        #expect(try await system.mails(isTaken ? .accountExists : .linkAddress).count == 1)
        let export = try await system.domain.exports.export(session.account.id).export
        #expect(export.emailLinks.isEmpty && export.mails.isEmpty)
    }

    @Test("An address that somebody signs up with meanwhile is theirs")
    func takenMeanwhile() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let secret = try #require(try await ask(session, system))
        let owner = try await system.makeAccount()
        await expectError(.linkUnknown) { _ = try await finish(secret, session, system) }
        #expect(try await system.signIn().account.id == owner.account.id)
    }

    @Test("An account has one address, however many were requested")
    func once() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let first = try #require(try await ask(session, system))
        let second = try #require(try await ask(session, system, email: "other@example.com"))
        _ = try await finish(first, session, system)
        await expectError(.alreadyLinked) { _ = try await finish(second, session, system) }
        await expectError(.alreadyLinked) { _ = try await ask(session, system, email: "third@example.com") }
        #expect(try await system.links.list(in: session.session).count == 2)
    }

    @Test("A recent sign-in and a valid password are needed before anything is written")
    func refused() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        await expectError(.passwordRefused) {
            try await system.passwords.requestLink(
                in: session, email: PasswordSystem.address, password: Password("short"), consent: nil, from: .unknown)
        }
        system.clock.advance(by: .seconds(301))
        await expectError(.requiresRecentLogin) { _ = try await ask(session, system) }
        #expect(try await system.count("email_links") == 0)
        #expect(try await system.mails().isEmpty)
    }

    @Test("An account that hides its address needs consent, which is recorded when the link is used")
    func consent() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let error = await expectError(.consentRequired) { _ = try await ask(session, system) }
        #expect(error?.consent?.purposes == [.linkedIdentity])
        let secret = try #require(try await ask(session, system, consent: system.consentText))
        #expect(try await system.domain.consents.list(of: session.account.id).isEmpty)
        _ = try await finish(secret, session, system)
        #expect(try await system.domain.consents.list(of: session.account.id).map(\.purpose) == [.linkedIdentity])
    }

    @Test("If the text changes while the link waits, the link changes nothing, and a new one can be requested")
    func newerText() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let secret = try #require(try await ask(session, system, consent: system.consentText))
        let texts = try ConsentTexts([ConsentTexts.Text(version: "3", language: "en", text: "Newer.")])
        let newer = try await PasswordSystem(sharing: system, texts: texts)
        let error = await expectError(.consentRequired) { _ = try await finish(secret, session, newer) }
        #expect(error?.consent == Consent.Requirement(purposes: [.linkedIdentity], textVersion: "3"))
        #expect(try await newer.links.list(in: session.session).count == 1)
        #expect(try await newer.domain.consents.list(of: session.account.id).isEmpty)
        #expect(try await newer.count("email_links") == 1)
        await expectError(.consentRequired) { _ = try await ask(session, newer, consent: system.consentText) }
        let second = try #require(try await ask(session, newer, consent: "3"))
        #expect(try await finish(second, session, newer).count == 2)
        #expect(try await newer.domain.consents.list(of: session.account.id).map(\.textVersion) == ["3"])
    }
}
