import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The consent to a link whose Apple Account is deleted", .eachEngine)
struct ConsentOfRemovedTests {
    /// Takes a notification of Apple's about an identity.
    private func notify(
        _ change: AppleNotification.Change, about identity: IdentityID, of account: AccountID, _ system: PasswordSystem
    ) async throws {
        let found = try #require(try await system.store.identities(of: account).first { $0.id == identity })
        system.clock.advance(by: .seconds(5))
        let receipt = try await system.store.applyNotification(
            .sample(change, found.subject, team: found.team, happenedAt: system.now, receivedAt: system.now))
        #expect(receipt.outcome == .applied && receipt.account == account)
    }

    private func holdingConsents(_ account: AccountID, _ system: PasswordSystem) async throws -> [Consent.Purpose] {
        try await system.domain.consents.list(of: account).filter { $0.withdrawnAt == nil }.map(\.purpose)
    }

    @Test("It is withdrawn with the identity, and the audit, events and hooks record that")
    func accountDeleted() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let account = session.account.id
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        try await notify(.accountDeleted, about: apple.id, of: account, system)
        #expect(try await system.links.list(in: session.session).map(\.provider) == ["email"])
        let consent = try #require(try await system.domain.consents.list(of: account).first)
        #expect(consent.purpose == .linkedIdentity && consent.withdrawnAt == system.now)
        let entries = try await system.store.auditEntries(of: account, before: nil, limit: 100)
        let entry = try #require(entries.first { $0.event == .consentWithdrawn })
        #expect(entry.actor == .apple && entry.subject == consent.id.rawValue)
        #expect(try await system.events(of: account).suffix(2) == [.appleAccessEnded, .consentWithdrawn])
        #expect(try await system.notices().map(\.kind).suffix(2) == [.appleAccessEnded, .consentWithdrawn])
        await expectError(.consentUnknown) {
            _ = try await system.domain.consents.withdraw(consent.id, in: session, from: .unknown)
        }
    }

    @Test("Stop Using leaves the identity and its consent, because the person can come back")
    func consentRevoked() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        try await notify(.consentRevoked, about: apple.id, of: session.account.id, system)
        #expect(try await system.links.list(in: session.session).count == 2)
        #expect(try await holdingConsents(session.account.id, system) == [.linkedIdentity])
    }

    @Test("Consents to other ways in and to contact data stay")
    func others() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let johnny = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        try await system.link(session, person: "zoe", hidesEmail: true, consent: system.consentText)
        _ = try await system.domain.profiles.update(
            ProfileUpdate(
                phone: .set(PhoneNumber("+491701234567")), consent: ConsentGiven(textVersion: system.consentText)),
            in: session, from: .unknown)
        try await notify(.accountDeleted, about: johnny.id, of: session.account.id, system)
        #expect(try await Set(holdingConsents(session.account.id, system)) == [.linkedIdentity, .phone])
    }

    @Test("The consent to a merge stays while a way in that joined by it is left")
    func merged() async throws {
        let system = try await PasswordSystem()
        let from = try await system.session(of: system.signInWithApple(hidesEmail: true))
        try await system.link(from, person: "zoe", hidesEmail: true)
        let into = try await system.makeAccount()
        let account = into.account.id
        try await system.merge(into: into, hidesEmail: true, consent: system.consentText)
        let joined = try await system.links.list(in: into.session).filter(\.hidesAddress)
        #expect(joined.count == 2)
        #expect(try await holdingConsents(account, system) == [.linkedIdentity])
        try await notify(.accountDeleted, about: joined[0].id, of: account, system)
        #expect(try await holdingConsents(account, system) == [.linkedIdentity])
        _ = try await system.links.remove(joined[1].id, in: into, from: .unknown)
        #expect(try await holdingConsents(account, system).isEmpty)
    }
}
