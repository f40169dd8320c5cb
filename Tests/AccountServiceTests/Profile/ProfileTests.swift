import AccountDatabase
import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A profile", .eachDatabase)
struct ProfileTests {
    @Test("A typed name replaces Apple's in all parts, and is reported to apps, hooks and the audit once")
    func name() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(name: try .sample())
        _ = try await system.notices()
        let typed = try #require(PersonName(givenName: "Zoë", nickname: "Z"))
        #expect(try await system.update(ProfileUpdate(name: .set(typed)), in: session).name == typed)
        #expect(try await system.account(of: session)?.name == typed)
        #expect(try await system.events(of: session) == ["profile_changed name"])
        #expect(try await system.audit(of: session) == ["profile_changed name"])
        let notice = try #require(try await system.notices().first)
        #expect(notice.kind == .accountProfileChanged && notice.reason == "name" && notice.identityID == nil)
        try await system.update(ProfileUpdate(name: .set(typed)), in: session)
        #expect(try await system.events(of: session).count == 1, "the same name again is no change")
    }

    @Test("Apple's later word never replaces a name that a person typed, not even one that equals Apple's")
    func laterWord() async throws {
        let system = try await ProfileSystem()
        for (subject, typed) in [(Subject("001"), try PersonName.sample()), ("002", try .sample("Zoë", nil))] {
            let session = try await system.signIn(subject, name: try .sample())
            try await system.update(ProfileUpdate(name: .set(typed)), in: session)
            let again = try await system.signIn(subject, name: try .sample("Apple", "Word"))
            #expect(again.account.name == typed)
            let kept = PendingProfile.sample("Kept", subject: subject, expiresAt: system.now + .days(1))
            try await system.store.keepPendingProfile(kept)
            #expect(try await system.signIn(subject).account.name == typed)
        }
    }

    @Test("A removed name stays removed, and no later name is kept for its person")
    func removedName() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(name: try .sample())
        #expect(try await system.update(ProfileUpdate(name: .remove), in: session).name == nil)
        #expect(try await system.signIn(name: try .sample()).account.name == nil)
        let isKept = try await system.store.keepPendingProfileIfNameless(
            .sample(expiresAt: system.now + .days(1)), spending: [], at: system.now)
        #expect(!isKept)
        #expect(try await system.events(of: session) == ["profile_changed name"])
    }

    @Test("A phone number is stored, shown wherever the account is, and removed")
    func phone() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        let phone = try PhoneNumber("+4915112345678")
        let update = ProfileUpdate(phone: .set(phone))
        #expect(try await system.update(update, in: session).phone == phone.rawValue)
        try await system.update(update, in: session)
        #expect(try await system.signIn().account.phone == phone.rawValue)
        #expect(try await system.store.account(session.account.id)?.phone == phone.rawValue)
        #expect(try await system.update(ProfileUpdate(phone: .remove), in: session).phone == nil)
        #expect(try await system.events(of: session) == ["profile_changed phone", "profile_changed phone"])
        #expect(try await system.audit(of: session) == ["profile_changed phone"], "one entry a microsecond")
    }

    @Test("The response to a sign-in has the person's contact data")
    func signInAnswer() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.update(ProfileUpdate(phone: .set(PhoneNumber("+4915112345678"))), in: session)
        try await system.confirm("zoe@example.org", in: session)
        try await system.request("new@example.org", in: session)
        let expected = ContactFacts(email: "zoe@example.org", pendingEmail: "new@example.org", phone: "+4915112345678")
        for name in [nil, try PersonName.sample()] {
            let record = SignInRecord.sample(at: system.now, name: name, session: .sample(at: system.now))
            #expect(try await system.store.signIn(record).account.contact == expected)
        }
    }

    @Test("An update that changes nothing is refused, and so is one in a session that has ended")
    func refused() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        await expectError(.requestInvalid) {
            try await system.update(ProfileUpdate(consent: ConsentGiven(textVersion: "1")), in: session)
        }
        _ = try await system.store.endSession(session.session.id, .sample(at: system.now))
        await expectError(.sessionEnded) { try await system.update(ProfileUpdate(name: .remove), in: session) }
        #expect(try await system.store.account(session.account.id)?.name == nil)
    }

    @Test("A refused member leaves the others as they were")
    func allOrNothing() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(isHidden: true, name: try .sample())
        await expectError(.consentRequired) {
            try await system.update(
                ProfileUpdate(name: .remove, phone: .set(PhoneNumber("+4915112345678"))), in: session)
        }
        #expect(try await system.account(of: session)?.name == (try .sample()))
        #expect(try await system.events(of: session).isEmpty)
    }

    @Test("Without mail a contact address is refused, and the rest of the profile works")
    func withoutMail() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.confirm("zoe@example.org", in: session)
        let silent = try await ProfileSystem(sendsMail: false, sharing: system)
        await expectError(.mailNotConfigured) {
            try await silent.update(ProfileUpdate(contactEmail: .set(EmailAddress("new@example.org"))), in: session)
        }
        await expectError(.mailNotConfigured) {
            _ = try await silent.profiles.resendContactLink(in: session, from: .unknown)
        }
        let account = try await silent.update(ProfileUpdate(name: .remove, contactEmail: .remove), in: session)
        #expect(account.contactEmail == nil)
    }

    @Test("A deletion removes the whole profile, and an export has all of it")
    func deletionAndExport() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(isHidden: true)
        let update = ProfileUpdate(
            name: .set(try .sample("Zoë")), phone: .set(try PhoneNumber("+4915112345678")),
            consent: ConsentGiven(textVersion: "1"))
        try await system.update(update, in: session)
        try await system.confirm("zoe@example.org", in: session, consent: "1")
        system.clock.advance(.seconds(60))
        try await system.confirm("second@example.org", in: session)
        let takeBack = try await system.linkSecret(of: .addressChanged)
        let link = try await system.request("third@example.org", in: session)

        let export = try #require(try await system.store.exportAccount(session.account.id))
        #expect(export.nameTypedAt == system.now - .seconds(60) && export.contactEmailVerifiedAt == system.now)
        #expect(export.contactEmail == "second@example.org" && export.pendingContactEmail == "third@example.org")
        #expect(export.phone == "+4915112345678")
        #expect(Set(export.contactChanges.map(\.formerAddress)) == [nil, "zoe@example.org"])
        #expect(Set(export.consents.map(\.purpose)) == [.contactEmail, .phone])

        _ = try await system.store.deleteAccount(.sample(in: session.session.id, at: system.now))
        #expect(try await system.store.exportAccount(session.account.id) == nil)
        #expect(try await system.consents.list(of: session.account.id).isEmpty)
        let rows = try await system.store.read { connection in
            try connection.query(
                "SELECT (SELECT count(*) FROM contact_changes) + (SELECT count(*) FROM consents)", []
            ) { try $0.int64() }
        }
        #expect(rows == [0])
        await expectError(.linkUnknown) { _ = try await system.profiles.pendingContact(link) }
        await expectError(.linkUnknown) { try await system.profiles.takeBack(takeBack, from: .unknown) }
        await expectError(.sessionEnded) { try await system.update(update, in: session) }
        let again = try await system.signIn(isHidden: true)
        #expect(again.account.contact == ContactFacts() && again.account.name == nil)
    }

    @Test("An operator finds an account by its contact address, as exactly as by Apple's")
    func search() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.confirm("Zoe@example.org", in: session)
        _ = try await system.signIn("002", email: "zoe@example.net")
        let directory = AccountDirectory(store: system.store)
        for address in ["Zoe@example.org", "zoe@EXAMPLE.org", "johnny@example.com"] {
            let found = try await directory.find(AccountSearch(address))
            #expect(found.map(\.id) == [session.account.id], "\(address)")
            #expect(found.first?.contactEmail == "Zoe@example.org")
        }
    }
}
