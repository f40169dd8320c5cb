import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A change of the contact address that is taken back", .eachDatabase)
struct TakeBackTests {
    @Test("The former address counts again, and the session that asked for the change ends, with the later ones")
    func takenBack() async throws {
        let system = try await ProfileSystem()
        let owner = try await system.signIn()
        let before = try await system.signIn()
        try await system.confirm("zoe@example.org", in: owner)
        let verifiedAt = system.now
        system.clock.advance(.hours(1))
        let link = try await system.request("thief@example.org", in: before)
        system.clock.advance(.seconds(60))
        let between = try await system.signIn()
        _ = try await system.profiles.confirmContact(link, in: between, from: .unknown)
        system.clock.advance(.seconds(60))
        let after = try await system.signIn()
        try await system.request("next@example.org", in: after)
        let takeBack = try await system.linkSecret(of: .addressChanged)

        let shown = try await system.profiles.contactChange(takeBack)
        #expect(shown.formerAddress == "zoe@example.org" && shown.expiresAt == shown.changedAt + .days(7))
        #expect(try await system.end(of: after) == nil, "a look changes nothing")

        let change = try await system.profiles.takeBack(takeBack, from: ProfileSystem.caller)
        #expect(change == shown)
        let account = try #require(try await system.account(of: before))
        #expect(account.contactEmail == "zoe@example.org" && account.pendingContactEmail == nil)
        let export = try await system.store.exportAccount(account.id)
        #expect(export?.contactEmailVerifiedAt == verifiedAt)
        #expect(try await system.end(of: owner) == nil)
        #expect(try await system.end(of: before) == .contactEmailTakenBack)
        #expect(try await system.end(of: between) == .contactEmailTakenBack)
        #expect(try await system.end(of: after) == .contactEmailTakenBack)
        #expect(
            try await system.events(of: before).suffix(4) == [
                "profile_changed contact_email", "session_ended contact_email_taken_back",
                "session_ended contact_email_taken_back", "session_ended contact_email_taken_back",
            ])
        let entry = try #require(
            try await system.store.auditEntries(of: account.id, before: nil, limit: 50).first {
                $0.event == .contactEmailTakenBack
            })
        #expect(entry.actor == .account(through: nil, from: ProfileSystem.caller))
        await expectError(.linkUnknown) { try await system.profiles.takeBack(takeBack, from: .unknown) }
        await expectError(.linkUnknown) { _ = try await system.profiles.contactChange(takeBack) }
    }

    @Test("A change can be taken back within seven days, and not after")
    func sevenDays() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.confirm("zoe@example.org", in: session)
        let link = try await system.linkSecret(of: .addressChanged)
        system.clock.advance(.days(7) - .seconds(1))
        #expect(try await system.profiles.contactChange(link).formerAddress == nil)
        system.clock.advance(.seconds(1))
        await expectError(.linkUnknown) { try await system.profiles.takeBack(link, from: .unknown) }
        _ = try await system.store.sweep(at: system.now, sessionsBefore: .start, limit: 100)
        let export = try await system.store.exportAccount(session.account.id)
        #expect(export?.contactChanges.isEmpty == true && export?.contactEmail == "zoe@example.org")
    }

    @Test("A removal is taken back like a change, and so is the first address by Apple's")
    func removalAndFirst() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.confirm("zoe@example.org", in: session)
        let first = try await system.linkSecret(of: .addressChanged)
        system.clock.advance(.seconds(1))
        try await system.update(ProfileUpdate(contactEmail: .remove), in: session)
        try await system.profiles.takeBack(try await system.linkSecret(of: .addressChanged), from: .unknown)
        #expect(try await system.account(of: session)?.contactEmail == "zoe@example.org")
        try await system.profiles.takeBack(first, from: .unknown)
        #expect(try await system.account(of: session)?.contactEmail == nil)
    }

    @Test("The session that opened the link ends too, even if another session had asked for the change")
    func askedAndConfirmed() async throws {
        let system = try await ProfileSystem()
        let (owner, asking, confirming) = (
            try await system.signIn(), try await system.signIn(), try await system.signIn()
        )
        let link = try await system.request("thief@example.org", in: asking)
        system.clock.advance(.seconds(1))
        // Another link is no new wish.
        _ = try await system.profiles.resendContactLink(in: owner, from: .unknown)
        await expectError(.linkUnknown) {
            _ = try await system.profiles.confirmContact(link, in: confirming, from: .unknown)
        }
        let second = try await system.linkSecret(of: .verifyAddress)
        _ = try await system.profiles.confirmContact(second, in: confirming, from: .unknown)
        try await system.profiles.takeBack(try await system.linkSecret(of: .addressChanged), from: .unknown)
        #expect(try await system.end(of: asking) == .contactEmailTakenBack)
        #expect(try await system.end(of: confirming) == .contactEmailTakenBack)
        #expect(try await system.end(of: owner) == nil)
    }

    @Test("If a session made several changes, a later one can't be taken back once an earlier one is")
    func laterChanges() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.confirm("zoe@example.org", in: session)
        let ofApple = try await system.linkSecret(of: .addressChanged)
        system.clock.advance(.seconds(1))
        try await system.confirm("thief@example.org", in: session)
        let ofZoe = try await system.linkSecret(of: .addressChanged)
        system.clock.advance(.seconds(1))
        try await system.confirm("other.thief@example.org", in: session)
        let ofThief = try await system.linkSecret(of: .addressChanged)
        try await system.profiles.takeBack(ofZoe, from: .unknown)
        #expect(try await system.account(of: session)?.contactEmail == "zoe@example.org")
        await expectError(.linkUnknown) { try await system.profiles.takeBack(ofThief, from: .unknown) }
        try await system.profiles.takeBack(ofApple, from: .unknown)
        #expect(try await system.account(of: session)?.contactEmail == nil)
    }

    @Test("A consent that came with the change is withdrawn, and an older one stays")
    func consents() async throws {
        let older = try await ProfileSystem()
        let session = try await older.signIn(isHidden: true)
        try await older.confirm("zoe@example.org", in: session, consent: "1")
        older.clock.advance(.seconds(60))
        let texts = try ConsentTexts([ConsentTexts.Text(version: "2", language: "en", text: "Two.")])
        let newer = try await ProfileSystem(texts: texts, sharing: older)
        try await newer.confirm("thief@example.org", in: session, consent: "2")
        try await newer.profiles.takeBack(try await newer.linkSecret(of: .addressChanged), from: .unknown)
        let held = try await newer.consents.list(of: session.account.id).filter { $0.withdrawnAt == nil }
        #expect(held.map(\.textVersion) == ["1"])
        #expect(try await newer.account(of: session)?.contactEmail == "zoe@example.org")
        #expect(try await newer.events(of: session).contains("consent_withdrawn contact_email"))
    }

    @Test("A session that had signed out is disowned too, so that its device doesn't count as known")
    func signedOut() async throws {
        let system = try await ProfileSystem()
        let owner = try await system.signIn()
        try await system.confirm("zoe@example.org", in: owner)
        system.clock.advance(.seconds(60))
        let thief = try await system.signIn()
        try await system.confirm("thief@example.org", in: thief)
        #expect(try await system.store.endSession(thief.session.id, .sample(at: system.now)))
        try await system.profiles.takeBack(try await system.linkSecret(of: .addressChanged), from: .unknown)
        #expect(try await system.end(of: thief) == .contactEmailTakenBack)
        #expect(try await system.end(of: owner) == nil)
        let disowned = try await system.store.auditEntries(of: owner.account.id, before: nil, limit: 50)
            .filter { $0.event == .sessionDisowned }
        #expect(disowned.map(\.subject) == [thief.session.id.rawValue])
    }

    @Test("An export has the pending links and those that take back, without their secrets")
    func exportedLinks() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.confirm("zoe@example.org", in: session)
        let changedAt = system.now
        try await system.request("new@example.org", in: session)
        let links = try #require(try await system.store.exportAccount(session.account.id)).openLinks
        #expect(
            links == [
                AccountExport.OpenLink(
                    kind: .verifyAddress, session: session.session.id, device: nil,
                    expiresAt: changedAt + Profiles.pendingLifetime),
                AccountExport.OpenLink(
                    kind: .addressChanged, session: session.session.id, device: nil,
                    expiresAt: changedAt + Profiles.takeBackLifetime),
            ])
    }

    @Test("A change can be taken back while the account is disabled")
    func disabled() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        try await system.confirm("zoe@example.org", in: session)
        let link = try await system.linkSecret(of: .addressChanged)
        _ = try await system.store.disable(session.account.id, .sample(at: system.now, .accountDisabled), limit: 10)
        try await system.profiles.takeBack(link, from: .unknown)
        #expect(try await system.store.account(session.account.id)?.contactEmail == nil)
    }
}
