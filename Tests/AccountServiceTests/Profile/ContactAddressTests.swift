import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A contact address", .eachDatabase)
struct ContactAddressTests {
    @Test("A new address waits until its link is opened, and the former one counts until then")
    func waits() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        let link = try await system.request("zoe@example.org", in: session)
        let waiting = try #require(try await system.account(of: session))
        #expect(waiting.contactEmail == nil && waiting.pendingContactEmail == "zoe@example.org")
        #expect(try await system.events(of: session).isEmpty)
        let mail = try #require(try await system.mails(.verifyAddress).first)
        #expect(mail.recipient == "zoe@example.org" && mail.values["address"] == "zoe@example.org")
        #expect(mail.values["link"] == "https://example.com/contact/\(link.rawValue)")

        let shown = try await system.profiles.pendingContact(link)
        #expect(shown.address == "zoe@example.org" && shown.expiresAt == system.now + .hours(24))
        #expect(try await system.account(of: session) == waiting, "a look changes nothing")

        let confirmed = try await system.profiles.confirmContact(link, in: session, from: ProfileSystem.caller)
        #expect(confirmed.contactEmail == "zoe@example.org" && confirmed.pendingContactEmail == nil)
        #expect(try await system.events(of: session) == ["profile_changed contact_email"])
        #expect(
            try await system.audit(of: session) == ["contact_email_requested -", "profile_changed contact_email"])
        #expect(try await system.notices().map(\.kind) == [.accountCreated, .accountProfileChanged])

        try await system.request("new@example.org", in: session)
        let changing = try #require(try await system.account(of: session))
        #expect(changing.contactEmail == "zoe@example.org" && changing.pendingContactEmail == "new@example.org")
    }

    @Test("A link works once, for 24 hours, until another link is requested")
    func singleUse() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        let first = try await system.request("zoe@example.org", in: session)
        system.clock.advance(.seconds(60))
        let second = try await system.request("zoe@example.org", in: session)
        #expect(try await system.profiles.pendingContact(second).askedAt == system.now - .seconds(60))
        await expectError(.linkUnknown) { try await confirm(first, system, session) }
        try await confirm(second, system, session)
        await expectError(.linkUnknown) { try await confirm(second, system, session) }
        await expectError(.linkUnknown) { _ = try await system.profiles.pendingContact(second) }

        let third = try await system.request("new@example.org", in: session)
        system.clock.advance(.hours(24))
        await expectError(.linkUnknown) { try await confirm(third, system, session) }
        _ = try await system.store.sweep(at: system.now, sessionsBefore: .start, limit: 100)
        let account = try #require(try await system.account(of: session))
        #expect(account.contactEmail == "zoe@example.org" && account.pendingContactEmail == nil)
    }

    @Test("Another mail can be asked for as long as an address waits")
    func resend() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        await expectError(.linkUnknown) { _ = try await system.profiles.resendContactLink(in: session, from: .unknown) }
        let first = try await system.request("zoe@example.org", in: session)
        system.clock.advance(.seconds(1))
        _ = try await system.profiles.resendContactLink(in: session, from: .unknown)
        let second = try await system.linkSecret(of: .verifyAddress)
        await expectError(.linkUnknown) { try await confirm(first, system, session) }
        try await confirm(second, system, session)
        await expectError(.linkUnknown) { _ = try await system.profiles.resendContactLink(in: session, from: .unknown) }
    }

    @Test("Too many mails to confirm an address are refused, and nothing changes then")
    func tooMany() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        for number in 1...5 { try await system.request("zoe\(number)@example.org", in: session) }
        await expectError(.rateLimited) { try await system.request("zoe6@example.org", in: session) }
        #expect(try await system.account(of: session)?.pendingContactEmail == "zoe5@example.org")
    }

    @Test("A session of another account can't use a link, which stays good")
    func otherAccount() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        let link = try await system.request("zoe@example.org", in: session)
        let other = try await system.signIn("someone.else")
        await expectError(.linkOfAnotherAccount) { try await confirm(link, system, other) }
        #expect(try await system.account(of: other)?.contactEmail == nil)
        let elsewhere = try await system.signIn()
        #expect(try await confirm(link, system, elsewhere).contactEmail == "zoe@example.org")
    }

    @Test("An ended session confirms nothing")
    func endedSession() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        let link = try await system.request("zoe@example.org", in: session)
        _ = try await system.store.endSession(session.session.id, .sample(at: system.now))
        await expectError(.sessionEnded) { try await confirm(link, system, session) }
    }

    @Test("The first change is reported to Apple's address, and each later one to the former contact address")
    func notices() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.confirm("zoe@example.org", in: session)
        system.clock.advance(.seconds(1))
        try await system.confirm("new@example.org", in: session)
        system.clock.advance(.seconds(1))
        try await system.update(ProfileUpdate(contactEmail: .remove), in: session)
        let mails = try await system.mails(.addressChanged)
        #expect(mails.map(\.recipient) == ["johnny@example.com", "zoe@example.org", "new@example.org"])
        #expect(mails.map { $0.values["address"] } == ["zoe@example.org", "new@example.org", nil])
        let links = mails.compactMap { $0.values["link"] }
        #expect(links.allSatisfy { $0.hasPrefix("https://example.com/contact/take-back/") })
        #expect(mails.allSatisfy { $0.values["happenedAt"]?.hasSuffix("Z") == true })
    }

    @Test("A change is made even if there is no address to report it to")
    func nobodyToTell() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(email: nil)
        let account = try await system.confirm("zoe@example.org", in: session, consent: "1")
        #expect(account.contactEmail == "zoe@example.org")
        #expect(try await system.mails(.addressChanged).isEmpty)
    }

    @Test("Mails to a former address leave the queue with it, except for those about its change")
    func mailsToFormerAddress() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        for isTakenBack in [false, true] {
            try await system.confirm("zoe@example.org", in: session)
            for recipient in ["Zoe@example.org", "johnny@example.com"] {
                try await system.write(.announcement, to: recipient, of: session)
            }
            system.clock.advance(.seconds(1))
            if isTakenBack {
                let link = try await system.linkSecret(of: .addressChanged, to: "johnny@example.com")
                try await system.profiles.takeBack(link, from: .unknown)
            } else {
                try await system.update(ProfileUpdate(contactEmail: .remove), in: session)
            }
            #expect(try await Set(system.mails(.announcement).map(\.recipient)) == ["johnny@example.com"])
            #expect(try await system.mails(.addressChanged).contains { $0.recipient == "zoe@example.org" })
        }
    }

    @Test("Mails to a contact address that is also Apple's stay")
    func mailsToSameAddress() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn(email: "zoe@example.org")
        try await system.confirm("Zoe@example.org", in: session)
        try await system.write(.announcement, to: "Zoe@example.org", of: session)
        try await system.update(ProfileUpdate(contactEmail: .remove), in: session)
        #expect(try await system.mails(.announcement).count == 1)
    }

    @Test("Setting the current contact address again, or removing it, cancels the pending one")
    func calledOff() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.confirm("zoe@example.org", in: session)
        for update in [
            ProfileUpdate(contactEmail: .set(try EmailAddress("zoe@example.org"))), .init(contactEmail: .remove),
        ] {
            let link = try await system.request("new@example.org", in: session)
            let account = try await system.update(update, in: session)
            #expect(account.pendingContactEmail == nil)
            await expectError(.linkUnknown) { try await confirm(link, system, session) }
        }
        #expect(
            try await system.events(of: session) == ["profile_changed contact_email", "profile_changed contact_email"])
        #expect(try await system.mails(.verifyAddress).isEmpty, "nobody needs the mails that were called off")
    }

    @discardableResult
    private func confirm(
        _ link: LinkSecret, _ system: ProfileSystem, _ session: StoredSession
    ) async throws -> Account {
        try await system.profiles.confirmContact(link, in: session, from: ProfileSystem.caller)
    }
}
