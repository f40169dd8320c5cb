import AccountDatabase
import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A consent", .eachDatabase)
struct ConsentTests {
    private let phone = "+4915112345678"

    private func update(_ phone: String, consent: String? = nil) throws -> ProfileUpdate {
        ProfileUpdate(phone: .set(try PhoneNumber(phone)), consent: consent.map { ConsentGiven(textVersion: $0) })
    }

    @Test("is needed where an Apple address is hidden or unknown, and nowhere else")
    func needed() async throws {
        let system = try await ProfileSystem()
        for (subject, isHidden, email) in [
            (Subject("open"), false, "johnny@example.com"), ("hidden", true, "x@privaterelay.appleid.com"),
            ("unknown", false, nil),
        ] as [(Subject, Bool, String?)] {
            let session = try await system.signIn(subject, isHidden: isHidden, email: email)
            let missing = try await system.consents.missing(for: session.account.id)
            guard isHidden || email == nil else {
                #expect(missing == nil)
                try await system.update(update(phone), in: session)
                try await system.request("zoe@example.org", in: session)
                #expect(try await system.consents.list(of: session.account.id).isEmpty)
                continue
            }
            #expect(missing == Consent.Requirement(purposes: [.contactEmail, .phone], textVersion: "1"))
            let refused = await expectError(.consentRequired) { try await system.update(update(phone), in: session) }
            #expect(refused?.consent == Consent.Requirement(purposes: [.phone], textVersion: "1"))
            try await system.update(ProfileUpdate(name: .set(.sample()), phone: .remove), in: session)
        }
    }

    @Test("is refused to any version of the text but the current one")
    func otherVersion() async throws {
        let texts = try ConsentTexts(["2", "10"].map { ConsentTexts.Text(version: $0, language: "en", text: "Text.") })
        let system = try await ProfileSystem(texts: texts)
        let session = try await system.signIn(isHidden: true)
        for version in ["1", "2", "11", "", "current"] {
            let refused = await expectError(.consentRequired) {
                try await system.update(update(phone, consent: version), in: session)
            }
            #expect(refused?.consent?.textVersion == "10")
        }
        #expect(try await system.account(of: session)?.phone == nil)
        #expect(try await system.update(update(phone, consent: "10"), in: session).phone == phone)
    }

    @Test("has a record of who agreed to what, to which text, when and from where")
    func record() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(isHidden: true)
        _ = try await system.notices()
        let both = ProfileUpdate(
            contactEmail: .set(try EmailAddress("zoe@example.org")), phone: .set(try PhoneNumber(phone)),
            consent: ConsentGiven(textVersion: "1"))
        try await system.update(both, in: session)
        let consents = try await system.consents.list(of: session.account.id)
        #expect(Set(consents.map(\.purpose)) == [.contactEmail, .phone])
        for consent in consents {
            #expect(consent.textVersion == "1" && consent.givenAt == system.now && consent.withdrawnAt == nil)
            #expect(consent.sessionID == session.session.id && consent.clientID == "com.example.juice")
            #expect(consent.caller == ProfileSystem.caller)
        }
        #expect(
            try await system.events(of: session) == [
                "consent_given contact_email", "consent_given phone", "profile_changed phone",
            ])
        let events = try await system.store.accountEvents(of: session.account.id, after: 0, limit: 10)
        #expect(Set(events.filter { $0.kind == .consentGiven }.map(\.about)) == Set(consents.map(\.id.rawValue)))
        let notices = try await system.notices().filter { $0.kind == .consentGiven }
        #expect(notices.map(\.reason) == ["contact_email", "phone"])
        #expect(notices.allSatisfy { $0.identityID == nil })
        let audit = try await system.store.auditEntries(of: session.account.id, before: nil, limit: 20)
        let given = audit.filter { $0.event == .consentGiven }
        #expect(Set(given.map(\.subject)) == Set(consents.map(\.id.rawValue)))
        #expect(Set(given.map(\.detail)) == ["contact_email", "phone"])
    }

    @Test("covers later changes of the same kind, until the text changes")
    func lasts() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(isHidden: true)
        try await system.update(update(phone, consent: "1"), in: session)
        try await system.update(update("+4915187654321"), in: session)
        try await system.update(update(phone, consent: "1"), in: session)
        #expect(try await system.consents.list(of: session.account.id).count == 1)
        let refused = await expectError(.consentRequired) { try await system.request("zoe@example.org", in: session) }
        #expect(refused?.consent?.purposes == [.contactEmail])

        let texts = try ConsentTexts([ConsentTexts.Text(version: "2", language: "en", text: "Two.")])
        let later = try await ProfileSystem(texts: texts, sharing: system)
        await expectError(.consentRequired) { try await later.update(update("+4915187654321"), in: session) }
        #expect(try await later.account(of: session)?.phone == phone, "what is there stays")
        later.clock.advance(.seconds(1))
        try await later.update(update("+4915187654321", consent: "2"), in: session)
        #expect(try await later.consents.list(of: session.account.id).map(\.textVersion) == ["2", "1"])
    }

    @Test("to a phone number, once withdrawn, removes the number and every consent to it")
    func withdrawPhone() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(isHidden: true)
        try await system.update(update(phone, consent: "1"), in: session)
        let texts = try ConsentTexts([ConsentTexts.Text(version: "2", language: "en", text: "Two.")])
        let later = try await ProfileSystem(texts: texts, sharing: system)
        try await later.update(update("+4915187654321", consent: "2"), in: session)
        _ = try await system.notices()
        let first = try #require(
            try await system.consents.list(of: session.account.id).first { $0.textVersion == "1" })
        system.clock.advance(.seconds(1))
        #expect(
            try await system.consents.withdraw(first.id, in: session, from: ProfileSystem.caller).account.phone == nil)
        let all = try await system.consents.list(of: session.account.id)
        #expect(all.count == 2 && all.allSatisfy { $0.withdrawnAt == system.now })
        #expect(
            try await system.events(of: session).suffix(3) == [
                "consent_withdrawn phone", "consent_withdrawn phone", "profile_changed phone",
            ])
        #expect(
            try await system.notices().map(\.kind) == [.consentWithdrawn, .consentWithdrawn, .accountProfileChanged])
        #expect(try await system.audit(of: session).count { $0 == "consent_withdrawn phone" } == 2)
        await expectError(.consentRequired) { try await system.update(update(phone), in: session) }
    }

    @Test("to a contact address, once withdrawn, removes current, pending and former addresses, with a mail to it")
    func withdrawContact() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(isHidden: true)
        try await system.confirm("zoe@example.org", in: session, consent: "1")
        let first = try await system.linkSecret(of: .addressChanged)
        system.clock.advance(.seconds(1))
        try await system.confirm("second@example.org", in: session)
        let second = try await system.linkSecret(of: .addressChanged)
        let link = try await system.request("third@example.org", in: session)
        let consent = try #require(try await system.consents.list(of: session.account.id).first)
        let account = try await system.consents.withdraw(consent.id, in: session, from: .unknown).account
        #expect(account.contactEmail == nil && account.pendingContactEmail == nil)
        await expectError(.linkUnknown) {
            _ = try await system.profiles.confirmContact(link, in: session, from: .unknown)
        }
        for link in [first, second] {
            #expect(try await system.profiles.contactChange(link).formerAddress == nil, "it brings nothing back")
        }
        #expect(try await system.mails(.verifyAddress).isEmpty)
        #expect(
            try await system.mails(.addressChanged).count { mail in
                mail.recipient == "second@example.org" && mail.values["address"] == nil
            } == 1)
        #expect(
            try await system.events(of: session).suffix(2) == [
                "consent_withdrawn contact_email", "profile_changed contact_email",
            ])
        let texts = try await system.store.read { connection in
            try connection.query("SELECT former_email FROM contact_changes WHERE former_email IS NOT NULL", []) {
                try $0.text()
            }
        }
        #expect(texts.isEmpty)
    }

    @Test(
        "that a thief withdraws doesn't keep the account from the owner of the address", arguments: [true, false])
    func withdrawnByAThief(isChangedFirst: Bool) async throws {
        let system = try await ProfileSystem()
        let owner = try await system.signIn(isHidden: true)
        let thief = try await system.signIn(isHidden: true)
        try await system.confirm("zoe@example.org", in: owner, consent: "1")
        system.clock.advance(.seconds(1))
        if isChangedFirst { try await system.confirm("thief@example.org", in: thief) }
        system.clock.advance(.seconds(1))
        let consent = try #require(try await system.consents.list(of: owner.account.id).first)
        _ = try await system.consents.withdraw(consent.id, in: thief, from: .unknown)
        let link = try await system.linkSecret(of: .addressChanged, to: "zoe@example.org")
        system.clock.advance(.seconds(1))
        try await system.confirm("other.thief@example.org", in: thief, consent: "1")
        system.clock.advance(.seconds(1))
        let later = try await system.signIn(isHidden: true)

        let change = try await system.profiles.takeBack(link, from: .unknown)
        #expect(change.formerAddress == nil)
        #expect(try await system.account(of: owner)?.contactEmail == nil)
        #expect(try await system.end(of: thief) == .contactEmailTakenBack)
        #expect(try await system.end(of: later) == .contactEmailTakenBack)
        #expect(try await system.end(of: owner) == nil)
        #expect(try await system.consents.list(of: owner.account.id).allSatisfy { $0.withdrawnAt != nil })
    }

    @Test("is refused after ten withdrawals for its purpose in a day, and accepted on the next day")
    func tooOften() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(isHidden: true)
        for _ in 0..<10 {
            try await system.update(update(phone, consent: "1"), in: session)
            let consent = try #require(
                try await system.consents.list(of: session.account.id).first { $0.withdrawnAt == nil })
            _ = try await system.consents.withdraw(consent.id, in: session, from: .unknown)
        }
        await expectError(.rateLimited) { try await system.update(update(phone, consent: "1"), in: session) }
        try await system.request("zoe@example.org", in: session, consent: "1")
        #expect(try await system.account(of: session)?.phone == nil)
        system.clock.advance(.days(1))
        #expect(try await system.update(update(phone, consent: "1"), in: session).phone == phone)
        let export = try #require(try await system.store.exportAccount(session.account.id))
        #expect(export.consents.count == 12 && export.cut.isEmpty)
    }

    @Test("can't be withdrawn if it is unknown, another account's or already withdrawn")
    func unknown() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(isHidden: true)
        try await system.update(update(phone, consent: "1"), in: session)
        let consent = try #require(try await system.consents.list(of: session.account.id).first)
        let other = try await system.signIn("someone.else", isHidden: true)
        for (id, session) in [(ConsentID.sample(), session), (consent.id, other)] {
            await expectError(.consentUnknown) {
                _ = try await system.consents.withdraw(id, in: session, from: .unknown)
            }
        }
        #expect(try await system.account(of: session)?.phone == phone)
        _ = try await system.consents.withdraw(consent.id, in: session, from: .unknown)
        await expectError(.consentUnknown) {
            _ = try await system.consents.withdraw(consent.id, in: session, from: .unknown)
        }
    }

    @Test("is needed for a contact address if Apple's address becomes hidden before the link is opened")
    func hiddenLater() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        let link = try await system.request("zoe@example.org", in: session)
        let hidden = try await system.signIn(isHidden: true, email: "x@privaterelay.appleid.com")
        await expectError(.consentRequired) {
            _ = try await system.profiles.confirmContact(link, in: hidden, from: .unknown)
        }
        system.clock.advance(.seconds(1))
        let again = try await system.request("zoe@example.org", in: hidden, consent: "1")
        let account = try await system.profiles.confirmContact(again, in: hidden, from: .unknown)
        #expect(account.contactEmail == "zoe@example.org")
    }
}
