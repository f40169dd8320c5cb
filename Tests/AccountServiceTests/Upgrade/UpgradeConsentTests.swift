import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

/// The consent to an upgrade beside an Apple Account that hides its address.
@Suite("An upgrade beside a hidden address", .eachEngine)
struct UpgradeConsentTests {
    /// An account with an address and a password, and with an Apple Account that hides its address.
    private struct Mixed {
        let system: PasswordSystem
        let session: StoredSession

        init(hidesEmail: Bool = true) async throws {
            system = try await PasswordSystem()
            session = try await system.makeAccount()
            try await system.link(
                session, hidesEmail: hidesEmail, consent: hidesEmail ? system.consentText : nil)
        }

        /// The credential of an Apple Account that tells its address.
        func credential() async throws -> NativeSignIn {
            system.clock.advance(by: .seconds(1))
            let challenge = try system.domain.challenges.make(for: .upgrade, session: session.session.id)
            return try await system.credential("zoe", nonce: challenge.nonce)
        }

        @discardableResult
        func upgrade(_ credential: NativeSignIn, consent: String? = nil) async throws -> Upgraded {
            try await system.domain.upgrades.upgrade(
                session, with: credential, consent: consent.map { ConsentGiven(textVersion: $0) }, endingOthers: false,
                from: PasswordSystem.caller)
        }

        /// The purposes of the consents that hold.
        func purposes() async throws -> Set<Consent.Purpose> {
            Set(
                try await system.domain.consents.list(of: session.account.id).filter { $0.withdrawnAt == nil }
                    .map(\.purpose))
        }

        func needsConsent() async throws -> Bool {
            try await system.domain.upgrades.needsConsentToToldAddress(in: session.session)
        }

        func setContact(_ consent: String) async throws {
            let before = try await system.mails(.verifyAddress).count
            _ = try await system.domain.profiles.update(
                ProfileUpdate(
                    contactEmail: .set(EmailAddress("johnny@example.org")), consent: ConsentGiven(textVersion: consent)),
                in: session, from: .unknown)
            let mails = try await system.mails(.verifyAddress)
            try #require(mails.count == before + 1)
            let secret = try #require(mails.last?.secret)
            _ = try await system.domain.profiles.confirmContact(secret, in: session, from: .unknown)
        }
    }

    @Test("The address becomes the contact address only with consent, even if the new Apple Account is open")
    func required() async throws {
        let mixed = try await Mixed()
        #expect(try await mixed.needsConsent())
        let credential = try await mixed.credential()
        let used = try await mixed.system.count("spent")
        for given in [nil, "an older text"] {
            let error = await expectError(.consentRequired) { try await mixed.upgrade(credential, consent: given) }
            #expect(
                error?.consent
                    == Consent.Requirement(purposes: [.contactEmail], textVersion: mixed.system.consentText))
        }
        #expect(try await mixed.system.count("spent") == used, "the credential is as good as before")
        #expect(try await mixed.purposes() == [.linkedIdentity])
        let done = try await mixed.upgrade(credential, consent: mixed.system.consentText)
        #expect(done.account.contactEmail == PasswordSystem.address)
        #expect(try await mixed.purposes() == [.linkedIdentity, .contactEmail])
        #expect(try await mixed.system.audit(of: done.account.id).contains(.consentGiven))
    }

    @Test("The withdrawn consent removes the contact address, and no way in")
    func withdrawn() async throws {
        let mixed = try await Mixed()
        let done = try await mixed.upgrade(mixed.credential(), consent: mixed.system.consentText)
        let fresh = try await mixed.system.domain.sessions.authenticate(accessToken: done.accessToken)
        let consents = try await mixed.system.domain.consents.list(of: done.account.id)
        let consent = try #require(consents.first { $0.purpose == .contactEmail })
        let withdrawal = try await mixed.system.domain.consents.withdraw(consent.id, in: fresh, from: .unknown)
        #expect(withdrawal.account.contactEmail == nil && withdrawal.unlinked.isEmpty)
        #expect(try await mixed.system.links.list(in: fresh.session).map(\.provider) == ["apple", "apple"])
    }

    @Test("An earlier consent to a contact address is enough if it was given to the current text")
    func given() async throws {
        let mixed = try await Mixed()
        try await mixed.setContact(mixed.system.consentText)
        _ = try await mixed.system.domain.profiles.update(
            ProfileUpdate(contactEmail: .remove), in: mixed.session, from: .unknown)
        #expect(try await !mixed.needsConsent())
        #expect(try await mixed.upgrade(mixed.credential()).account.contactEmail == PasswordSystem.address)
        let given = try await mixed.system.domain.consents.list(of: mixed.session.account.id)
        #expect(given.filter { $0.purpose == .contactEmail }.count == 1)
    }

    @Test("An account with another contact address keeps it, so no consent is needed")
    func otherContact() async throws {
        let mixed = try await Mixed()
        try await mixed.setContact(mixed.system.consentText)
        #expect(try await mixed.upgrade(mixed.credential()).account.contactEmail == "johnny@example.org")
    }

    @Test("Beside an Apple Account with an open address no consent is needed")
    func told() async throws {
        let mixed = try await Mixed(hidesEmail: false)
        #expect(try await !mixed.needsConsent())
        #expect(try await mixed.upgrade(mixed.credential()).account.contactEmail == PasswordSystem.address)
        #expect(try await mixed.purposes().isEmpty)
    }
}
