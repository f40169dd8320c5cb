import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The consent to a merge", .eachEngine)
struct MergeConsentTests {
    @Test("is needed for a hidden address and an open one, and without it nothing changes")
    func consent() async throws {
        let system = try await PasswordSystem()
        _ = try await system.signInWithApple(hidesEmail: true)
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session, hidesEmail: true)
        let plan = try await system.merges.plan(with: handle, in: session)
        #expect(plan.consent == Consent.Requirement(purposes: [.linkedIdentity], textVersion: system.consentText))
        for consent in [nil, "0"] {
            let error = await expectError(.consentRequired) {
                try await system.merge(handle, plan.confirmation, into: session, consent: consent)
            }
            #expect(error?.consent == plan.consent)
        }
        #expect(try await system.accountCount() == 2)
        try await system.merge(handle, plan.confirmation, into: session, consent: system.consentText)
        let consents = try await system.domain.consents.list(of: session.account.id)
        #expect(consents.map(\.purpose) == [.linkedIdentity] && consents.map(\.sessionID) == [session.session.id])

        let consent = try #require(consents.first)
        let done = try await system.domain.consents.withdraw(consent.id, in: session, from: .unknown)
        #expect(done.unlinked.map(\.provider) == ["apple"] && done.kept.isEmpty && !done.endsSession)
        #expect(try await system.links.list(in: session.session).map(\.provider) == ["email"])
    }

    @Test("replaces another one, and its withdrawal removes all that came by the merge")
    func replacedConsent() async throws {
        let system = try await PasswordSystem()
        let from = try await system.makeAccount()
        try await system.link(from, hidesEmail: true, consent: system.consentText)
        let former = try #require(try await system.domain.consents.list(of: from.account.id).first)
        let into = try await system.session(of: system.signInWithApple("zoe"))
        let handle = try await system.handle(in: into, hidesEmail: true)
        let plan = try await system.merges.plan(with: handle, in: into)
        // The hidden one joins an address that is told. It has joined such an address before.
        #expect(plan.joining.count == 1 && plan.replacedConsents == [former.id] && plan.moves.consents == 0)
        _ = try await system.notices()
        try await system.merge(handle, plan.confirmation, into: into, consent: system.consentText)
        // Nothing went with the former consent, so a hook would misunderstand its withdrawal.
        let kinds = try await system.notices().map(\.kind)
        #expect(kinds.count == 2 && Set(kinds) == [.consentGiven, .accountMerged])
        #expect(try await !system.events(of: from.account.id).contains(.consentWithdrawn))
        #expect(try await system.audit(of: into.account.id).contains(.consentWithdrawn))
        let consents = try await system.domain.consents.list(of: into.account.id)
        #expect(consents.map { $0.withdrawnAt == nil } == [true, false] && consents.last?.id == former.id)
        let consent = try #require(consents.first)
        let done = try await system.domain.consents.withdraw(consent.id, in: into, from: .unknown)
        #expect(done.unlinked.map(\.id) == plan.joining && done.kept.isEmpty)
        #expect(try await system.links.list(in: into.session).map(\.provider) == ["apple", "email"])
    }

    @Test("removes with its withdrawal all ways in that joined by it, with a mail for each, and no others")
    func several() async throws {
        let system = try await PasswordSystem.withProviders()
        let from = try await system.session(of: system.signInWithApple("zoe"))
        try await system.link(.init(), to: from)
        let into = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let handle = try await system.handle(for: "zoe", in: into)
        let plan = try await system.merges.plan(with: handle, in: into)
        #expect(plan.joining.count == 2 && plan.consent?.purposes == [.linkedIdentity])
        try await system.merge(handle, plan.confirmation, into: into, consent: system.consentText)
        let consents = try await system.domain.consents.list(of: into.account.id)
        #expect(consents.map(\.purpose) == [.linkedIdentity])
        let before = try await system.mails(.unlinked).count
        let consent = try #require(consents.first)
        let done = try await system.domain.consents.withdraw(consent.id, in: into, from: .unknown)
        #expect(Set(done.unlinked.map(\.id)) == Set(plan.joining) && done.kept.isEmpty)
        #expect(try await system.mails(.unlinked).count == before + 2)
        let left = try await system.store.identities(of: into.account.id)
        #expect(left.map(\.id) == [into.session.identityID])
    }

    @Test("drops the consent to a way in that is lost")
    func lost() async throws {
        let system = try await PasswordSystem()
        let from = try await system.session(of: system.signInWithApple(hidesEmail: true))
        system.clock.advance(by: .seconds(1))
        try await system.passwords.requestLink(
            in: from, email: PasswordSystem.address, password: PasswordSystem.password,
            consent: ConsentGiven(textVersion: system.consentText), from: PasswordSystem.caller)
        let link = try #require(try await system.mails(.linkAddress).last?.secret)
        _ = try await system.passwords.finishLink(link, in: from, from: PasswordSystem.caller)
        let former = try #require(try await system.domain.consents.list(of: from.account.id).first)
        let into = try await system.makeAccount("ann@example.com", password: PasswordSystem.otherPassword)
        let handle = try await system.handle(in: into, hidesEmail: true)
        let plan = try await system.merges.plan(with: handle, in: into)
        #expect(plan.losses.identities.map(\.address) == [PasswordSystem.address])
        #expect(plan.lostConsents == [former.id] && plan.replacedConsents == [] && plan.moves.consents == 0)
        _ = try await system.notices()
        try await system.merge(handle, plan.confirmation, into: into, consent: system.consentText)
        let kinds = try await system.notices().filter { $0.accountID == from.account.id }.map(\.kind)
        #expect(Set(kinds) == [.consentWithdrawn, .accountUnlinked, .accountMerged] && kinds.last == .accountMerged)
        let consents = try await system.domain.consents.list(of: into.account.id)
        #expect(consents.filter { $0.withdrawnAt == nil }.count == 1)
    }

    @Test("doesn't count against the daily withdrawals when it replaces another one")
    func limit() async throws {
        let system = try await PasswordSystem()
        let from = try await system.makeAccount()
        try await system.link(from, hidesEmail: true, consent: system.consentText)
        let into = try await system.session(of: system.signInWithApple("zoe"))
        try await system.merge(into: into, hidesEmail: true, consent: system.consentText)
        system.clock.advance(by: .seconds(1))
        let (account, now) = (into.account.id, system.now)
        func withdraw(_ number: Int) async throws {
            _ = try await system.store.write { connection in
                try connection.execute(
                    """
                    INSERT INTO consents (id, account_id, purpose, text_version, given_at, session_id, client_id,
                        withdrawn_at)
                    VALUES (?1, ?2, 'linked_identity', '1', ?3, 'ses_1', 'com.example.juice', ?3)
                    """, [.id("cns_\(number)"), .id(account), .time(now)])
            }
        }
        func give() async throws {
            try await system.store.read { connection in
                try connection.requireConsentAllowed(of: account, to: .linkedIdentity, at: now)
            }
        }
        for number in 1..<Consents.withdrawalsPerDay { try await withdraw(number) }
        try await give()
        try await withdraw(Consents.withdrawalsPerDay)
        await expectError(.rateLimited) { try await give() }
    }

    @Test(
        "is not asked for an address that a link brings back, and the link brings none back beside a hidden one",
        arguments: [true, false], [true, false])
    func takenBack(isRemoved: Bool, isHidden: Bool) async throws {
        let system = try await PasswordSystem()
        let profiles = system.domain.profiles
        let from = try await system.session(of: system.signInWithApple("zoe"))
        func set(_ address: String) async throws {
            system.clock.advance(by: .seconds(1))
            _ = try await profiles.update(
                ProfileUpdate(contactEmail: .set(EmailAddress(address))), in: from, from: PasswordSystem.caller)
            let link = try #require(try await system.mails(.verifyAddress, to: address).last?.secret)
            _ = try await profiles.confirmContact(link, in: from, from: PasswordSystem.caller)
        }
        try await set("first@example.net")
        if isRemoved {
            system.clock.advance(by: .seconds(1))
            _ = try await profiles.update(
                ProfileUpdate(contactEmail: .remove), in: from, from: PasswordSystem.caller)
        } else {
            try await set("second@example.net")
        }
        let link = try #require(try await system.mails(.addressChanged, to: "first@example.net").last?.secret)
        let into =
            try await isHidden
            ? system.session(of: system.signInWithApple(hidesEmail: true)) : system.makeAccount()
        let handle = try await system.handle(for: "zoe", in: into)
        let plan = try await system.merges.plan(with: handle, in: into)
        #expect(plan.moves.profile.contains(.contactEmailChange))
        #expect(plan.moves.profile.contains(.contactEmail) == !isRemoved)
        let purposes: [Consent.Purpose] = isRemoved ? [.linkedIdentity] : [.linkedIdentity, .contactEmail]
        #expect(plan.consent?.purposes == (isHidden ? purposes : nil))
        try await system.merge(
            handle, plan.confirmation, into: into, consent: isHidden ? system.consentText : nil)
        system.clock.advance(by: .seconds(1))

        let former = isHidden ? nil : "first@example.net"
        #expect(try await profiles.contactChange(link).formerAddress == former)
        let change = try await profiles.takeBack(link, from: PasswordSystem.caller)
        #expect(change.formerAddress == former && change.accountID == into.account.id)
        #expect(try await system.store.account(into.account.id)?.contactEmail == former)
        let held = try await system.domain.consents.list(of: into.account.id).filter { $0.withdrawnAt == nil }
        #expect(held.map(\.purpose) == (isHidden ? [.linkedIdentity] : []))
    }
}
