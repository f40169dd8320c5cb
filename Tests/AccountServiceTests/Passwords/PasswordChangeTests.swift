import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Changes of a password", .eachEngine)
struct PasswordChangeTests {
    @Test("A reset sets a new password, ends all sessions and invalidates the address's other links")
    func reset() async throws {
        let system = try await PasswordSystem()
        let first = try await system.makeAccount()
        let second = try await system.session(of: system.signIn())
        let other = try await system.signInLink()
        let link = try await system.resetLink("ZOE@example.com")
        #expect(try await system.mails(.passwordReset).map(\.recipient) == [PasswordSystem.address])
        let shown = try await system.passwords.link(link, browser: nil)
        #expect(shown.purpose == .reset)
        await expectError(.passwordRefused) {
            try await system.passwords.finishReset(link, newPassword: Password("short"), from: .unknown)
        }
        #expect(try await system.end(of: first) == nil)
        try await system.passwords.finishReset(link, newPassword: PasswordSystem.otherPassword, from: .unknown)
        #expect(try await system.end(of: first) == .passwordReset)
        #expect(try await system.end(of: second) == .passwordReset)
        await expectError(.linkUnknown) {
            try await system.passwords.finishReset(link, newPassword: PasswordSystem.password, from: .unknown)
        }
        await expectError(.linkUnknown) { try await system.finishSignIn(other, email: PasswordSystem.address) }
        await expectError(.wrongCredentials) { try await system.signIn() }
        try await system.signIn(password: PasswordSystem.otherPassword)
        #expect(try await system.mails(.passwordChanged).map(\.recipient) == [PasswordSystem.address])
        #expect(try await system.events(of: first.account.id).contains(.passwordReset))
        #expect(try await system.audit(of: first.account.id).contains(.passwordReset))
    }

    @Test("A change needs the current password, and other sessions end or stay", arguments: [true, false])
    func change(endingOthers: Bool) async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let other = try await system.session(of: system.signIn())
        for current in [PasswordSystem.otherPassword, nil] {
            await expectError(current == nil ? .requestInvalid : .wrongCredentials) {
                try await system.passwords.change(
                    current: current, to: PasswordSystem.otherPassword, endingOthers: endingOthers, in: session,
                    from: .unknown)
            }
        }
        try await system.passwords.change(
            current: PasswordSystem.password, to: PasswordSystem.otherPassword, endingOthers: endingOthers, in: session,
            from: .unknown)
        #expect(try await system.end(of: session) == nil)
        #expect(try await system.end(of: other) == (endingOthers ? .passwordChanged : nil))
        await expectError(.wrongCredentials) { try await system.signIn() }
        try await system.signIn(password: PasswordSystem.otherPassword)
        #expect(try await system.mails(.passwordChanged).map(\.recipient) == [PasswordSystem.address])
        #expect(try await system.events(of: session.account.id).contains(.passwordChanged))
        #expect(try await system.audit(of: session.account.id).contains(.passwordChanged))
    }

    @Test("A repeat of a change in its session succeeds for ten minutes, and sets no password again")
    func repeated() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let other = try await system.session(of: system.signIn())
        func change(
            to new: Password = PasswordSystem.otherPassword, endingOthers: Bool = false, in session: StoredSession
        ) async throws {
            try await system.passwords.change(
                current: PasswordSystem.password, to: new, endingOthers: endingOthers, in: session, from: .unknown)
        }
        for _ in 0..<2 { try await change(in: session) }
        #expect(try await system.end(of: other) == nil)
        await expectError(.wrongCredentials) { try await change(in: other) }
        await expectError(.wrongCredentials) { try await change(to: Password("a third harbour 17"), in: session) }
        // The person may have gone back to the form for this.
        try await change(endingOthers: true, in: session)
        #expect(try await system.end(of: other) == .passwordChanged)
        #expect(try await system.mails(.passwordChanged).count == 1)
        let events = try await system.events(of: session.account.id)
        #expect(events.filter { $0 == .passwordChanged }.count == 1)
        try await system.signIn(password: PasswordSystem.otherPassword)
        system.clock.advance(by: .minutes(10))
        await expectError(.wrongCredentials) { try await change(in: session) }
    }

    @Test("A repeat of a first password succeeds, and another one needs the first")
    func repeatOfFirst() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(
            of: system.finishSignIn(system.signInLink(), email: PasswordSystem.address))
        for _ in 0..<2 {
            try await system.passwords.change(
                current: nil, to: PasswordSystem.password, endingOthers: false, in: session, from: .unknown)
        }
        let error = await expectError(.requestInvalid) {
            try await system.passwords.change(
                current: nil, to: PasswordSystem.otherPassword, endingOthers: false, in: session, from: .unknown)
        }
        #expect(error?.field == "currentPassword")
        try await system.signIn()
    }

    @Test("A person without a password sets the first one after a recent sign-in")
    func first() async throws {
        let system = try await PasswordSystem()
        let done = try await system.finishSignIn(system.signInLink(), email: PasswordSystem.address)
        let session = try await system.session(of: done)
        await expectError(.notByPassword) {
            try await system.passwords.change(
                current: PasswordSystem.password, to: PasswordSystem.password, endingOthers: false, in: session,
                from: .unknown)
        }
        await expectError(.notByPassword) {
            _ = try await system.passwords.reauthenticate(session, password: PasswordSystem.password, from: .unknown)
        }
        system.clock.advance(by: .minutes(5))
        await expectError(.requiresRecentLogin) {
            try await system.passwords.change(
                current: nil, to: PasswordSystem.password, endingOthers: false, in: session, from: .unknown)
        }
        let again = try await system.session(
            of: system.finishSignIn(system.signInLink(), email: PasswordSystem.address))
        try await system.passwords.change(
            current: nil, to: PasswordSystem.password, endingOthers: false, in: again, from: .unknown)
        try await system.signIn()
        #expect(try await system.events(of: done.account.id).contains(.passwordSet))
    }

    @Test("A session with Apple has no password to change or to prove")
    func apple() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        await expectError(.notByPassword) {
            try await system.passwords.change(
                current: nil, to: PasswordSystem.password, endingOthers: false, in: session, from: .unknown)
        }
        await expectError(.notByPassword) {
            _ = try await system.passwords.reauthenticate(session, password: PasswordSystem.password, from: .unknown)
        }
        #expect(try await system.domain.waysIn(of: session.account.id) == WaysIn(apple: true))
    }

    @Test("The password renews an app's session, which may then delete the account")
    func reauthenticate() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        system.clock.advance(by: .minutes(5))
        await expectError(.requiresRecentLogin) { _ = try await system.domain.deletions.delete(accountOf: session) }
        let renewed = try await system.passwords.reauthenticate(
            session, password: PasswordSystem.password, from: .unknown)
        #expect(renewed.authenticatedAt == system.now)
        let fresh = try await system.domain.sessions.authenticate(accessToken: renewed.accessToken)
        #expect(fresh.session.id == session.session.id && fresh.session.hasRecentSignIn(at: system.now))
        #expect(try await system.audit(of: session.account.id).contains(.reauthenticated))
        _ = try await system.domain.deletions.delete(accountOf: fresh)
    }

    @Test("The password gives a browser a new session, and its old one ends")
    func reauthenticateInBrowser() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let browser = system.passwords.newBrowser()
        let done = try await system.passwords.signIn(
            email: PasswordSystem.address, password: PasswordSystem.password, returnPath: .account, browser: browser,
            former: nil, from: .unknown)
        let session = try await system.domain.sessions.authenticate(cookie: done.sessionCookie)
        system.clock.advance(by: .minutes(5))
        let again = try await system.passwords.reauthenticate(
            session, password: PasswordSystem.password, browser: browser, returnPath: .account, from: .unknown)
        let fresh = try await system.domain.sessions.authenticate(cookie: again.sessionCookie)
        #expect(fresh.session.id != session.session.id && fresh.session.hasRecentSignIn(at: system.now))
        #expect(fresh.session.identityID == session.session.identityID)
        #expect(try await system.end(of: session) == .replaced)
    }

    @Test("A sign-in hashes the password anew when the cost has risen, and not otherwise")
    func rehash() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        func sealed() async throws -> [UInt8]? {
            try await system.store.sealedValues(in: .passwords, after: nil, limit: 1).first?.sealed
        }
        let before = try await sealed()
        try await system.signIn()
        #expect(try await sealed() == before)
        let raised = try await PasswordSystem(
            sharing: system, cost: PasswordCost(roundsExponent: 5, blockSize: 1, parallelism: 1))
        try await raised.signIn()
        let after = try await sealed()
        #expect(after != before)
        try await raised.signIn()
        #expect(try await sealed() == after)
        try await system.signIn()
        #expect(try await sealed() == after, "a lower cost leaves the hash")
    }

    @Test("Without the key ring's keys, the database alone verifies no password")
    func pepper() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let sealed = try #require(try await system.store.sealedValues(in: .passwords, after: nil, limit: 9).first)
        #expect(!String(decoding: sealed.sealed, as: UTF8.self).contains("scrypt"))
        let other = Seal(.password, keyRing: try KeyRing(parsing: KeyRingTests.two))
        await expectError(.configuration) { _ = try other.open(sealed.sealed, row: sealed.key[0]) }
        let own = Seal(.password, keyRing: try KeyRing(parsing: KeyRingTests.one))
        let text = String(decoding: try own.open(sealed.sealed, row: sealed.key[0]), as: UTF8.self)
        #expect(text.hasPrefix("scrypt$ln=4,r=1,p=1$"))
        await expectError(.configuration) {
            _ = try own.open(sealed.sealed, row: IdentityID.sample().rawValue)
        }
        #expect(sealed.key == [session.session.identityID.rawValue])
    }

    @Test("Passwords are sealed anew under another key, and still verify")
    func reseal() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let both = KeyRingTests.two + "," + KeyRingTests.one
        let outcome = try await Resealing(store: system.store, keyRing: KeyRing(parsing: both)).run()
        #expect(outcome.others == 0 && outcome.unopened == 0)
        let value = try #require(try await system.store.sealedValues(in: .passwords, after: nil, limit: 9).first)
        #expect(Seal.keyName(of: value.sealed) == "k2")
        let later = try await PasswordSystem(sharing: system, ring: both)
        try await later.signIn()
    }

    @Test("A password that is changed during its check signs nobody in")
    func changedMeanwhile() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let form = try EmailForm(EmailAddress(PasswordSystem.address))
        let proven = try await system.passwords.prove(PasswordSystem.password, of: form, from: .unknown)
        try await system.passwords.change(
            current: PasswordSystem.password, to: PasswordSystem.otherPassword, endingOthers: true, in: session,
            from: .unknown)
        let (record, _) = try system.passwords.record(
            of: form, address: nil, session: .tokens(client: nil), at: system.now, from: .unknown)
        await expectError(.wrongCredentials) { _ = try await system.store.signIn(record, with: proven) }
    }

    @Test("A password that is removed and set again during its check signs nobody in, and keeps its hash")
    func removedMeanwhile() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let form = try EmailForm(EmailAddress(PasswordSystem.address))
        let proven = try await system.passwords.prove(PasswordSystem.password, of: form, from: .unknown)
        system.clock.advance(by: .seconds(1))
        #expect(try await system.domain.directory.removePassword(of: session.account.id))
        try await system.passwords.finishReset(
            system.resetLink(), newPassword: PasswordSystem.otherPassword, from: .unknown)
        let (record, _) = try system.passwords.record(
            of: form, address: nil, session: .tokens(client: nil), at: system.now, from: .unknown)
        await expectError(.wrongCredentials) { _ = try await system.store.signIn(record, with: proven) }
        try await system.signIn(password: PasswordSystem.otherPassword)
    }

    @Test(
        "A change that ends the other sessions cancels their links and contact address, and not its own",
        arguments: [(true, false), (true, true), (false, false)])
    func contact(endingOthers: Bool, isOwn: Bool) async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let other = try await system.session(of: system.signIn())
        _ = try await system.domain.profiles.update(
            ProfileUpdate(contactEmail: .set(EmailAddress("else@example.net"))), in: isOwn ? session : other,
            from: .unknown)
        let link = try await system.signInLink()
        try await system.passwords.change(
            current: PasswordSystem.password, to: PasswordSystem.otherPassword, endingOthers: endingOthers, in: session,
            from: .unknown)
        let account = try await system.store.account(session.account.id)
        #expect((account?.pendingContactEmail == nil) == (endingOthers && !isOwn))
        #expect(try await system.mails(.verifyAddress).isEmpty == (endingOthers && !isOwn))
        if endingOthers {
            await expectError(.linkUnknown) { try await system.finishSignIn(link, email: PasswordSystem.address) }
        } else {
            try await system.finishSignIn(link, email: PasswordSystem.address)
        }
    }

    @Test("A wrong password takes as long for a hash of a former cost as for an address without an account")
    func formerCost() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let raised = try await PasswordSystem(
            sharing: system, cost: PasswordCost(roundsExponent: 5, blockSize: 1, parallelism: 3))
        var works: [Int] = []
        for address in [PasswordSystem.address, "nobody@example.com"] {
            let before = raised.passwords.hasher.work
            await expectError(.wrongCredentials) {
                try await raised.signIn(address, password: PasswordSystem.otherPassword)
            }
            works.append(raised.passwords.hasher.work - before)
        }
        #expect(works[0] == works[1] && works[0] == 96)
    }

    @Test("An operator sends a reset, independent of the limit, and removes a password")
    func directory() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let directory = system.domain.directory
        for _ in 0..<6 { #expect(try await directory.sendReset(to: session.account.id)) }
        let secret = try #require(try await system.mails(.passwordReset).last?.secret)
        #expect(try await !directory.sendReset(to: .sample()))
        let apple = try await system.signInWithApple().account.id
        await expectError(.notByPassword) { _ = try await directory.sendReset(to: apple) }

        #expect(try await directory.removePassword(of: session.account.id))
        #expect(try await !directory.removePassword(of: session.account.id))
        #expect(try await system.audit(of: session.account.id).contains(.passwordRemoved))
        #expect(try await system.end(of: session) == nil)
        await expectError(.wrongCredentials) { try await system.signIn() }
        let record = try #require(try await directory.find(AccountSearch("ZOE@example.com")).first)
        #expect(record.identities.map(\.provider) == ["email"] && record.identities[0].passwordSetAt == nil)
        try await system.passwords.finishReset(secret, newPassword: PasswordSystem.otherPassword, from: .unknown)
        try await system.signIn(password: PasswordSystem.otherPassword)
        #expect(try await directory.waysIn(of: session.account.id).hasPassword)
    }
}
