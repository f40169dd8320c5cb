import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

extension PasswordSystem {
    var links: Links { domain.links }

    /// Apple's credential for a link in a session.
    func linkCredential(
        for session: StoredSession, person: String = "johnny", name: String? = nil, hidesEmail: Bool = false
    ) async throws -> NativeSignIn {
        // Identities are listed in the order in which they came.
        clock.advance(by: .seconds(1))
        let challenge = try domain.challenges.make(for: .link, session: session.session.id)
        return try await credential(person, nonce: challenge.nonce, name: name, hidesEmail: hidesEmail)
    }

    /// Links an Apple Account to a session's account.
    @discardableResult
    func link(
        _ session: StoredSession, person: String = "johnny", hidesEmail: Bool = false, consent: String? = nil
    ) async throws -> [LinkedIdentity] {
        try await links.linkApple(
            in: session, with: linkCredential(for: session, person: person, hidesEmail: hidesEmail),
            consent: consent.map { ConsentGiven(textVersion: $0) }, from: Self.caller)
    }

    /// How many identities open an account.
    func liveIdentities() async throws -> Int64 {
        try await store.read { connection in
            try connection.first("SELECT count(*) FROM identities WHERE removed_at IS NULL", []) { try $0.int64() } ?? 0
        }
    }

    var consentText: String { domain.configuration.consentTexts.current }

    /// The notices that hooks get, in their order.
    func notices() async throws -> [AccountNotice] {
        var notices: [AccountNotice] = []
        while true {
            let lease = QueueLease.sample(at: now)
            let taken = try await store.leaseNotices(for: "backend", lease)
            guard !taken.isEmpty else { return notices }
            for pending in taken {
                notices.append(pending.notice)
                _ = try await store.endNoticeAttempt(pending.notice.id, for: "backend", owner: lease.owner, .taken)
            }
        }
    }
}

@Suite("A link of an Apple Account", .eachEngine)
struct LinkTests {
    /// How often a race is run: where the two meet differs from time to time.
    private static let rounds = 10

    @Test("The person can sign in either way, and a mail, an event, the audit and hooks report the link")
    func links() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let linked = try await system.links.linkApple(
            in: session, with: system.linkCredential(for: session, name: "Johnny"), consent: nil,
            from: PasswordSystem.caller)
        #expect(linked.map(\.provider) == ["email", "apple"] && linked.map(\.hasPassword) == [true, false])
        #expect(linked[0].id == session.session.identityID && linked[0].team == nil && linked[1].team != nil)
        #expect(linked[0].address == PasswordSystem.address && linked[1].address != nil)
        #expect(try await system.links.list(in: session.session) == linked)

        let byApple = try await system.session(of: system.signInWithApple())
        let byPassword = try await system.session(of: system.signIn())
        #expect(byApple.account.id == session.account.id && byPassword.account.id == session.account.id)
        #expect(byApple.session.identityID == linked[1].id && byPassword.session.identityID == linked[0].id)
        #expect(byApple.account.appleToken == .held)
        #expect(byApple.account.name?.givenName == "Johnny", "the account had none")
        #expect(try await system.accountCount() == 1)
        #expect(try await system.end(of: session) == nil)

        let mails = try await system.mails(.linked)
        #expect(mails.map(\.recipient) == [PasswordSystem.address])
        #expect(mails[0].values["way"] == "apple" && mails[0].values["address"] == linked[1].address)
        #expect(mails[0].values["link"] == "http://localhost:4000/account/links")
        #expect(try await system.events(of: session.account.id).filter { $0 == .linked }.count == 1)
        #expect(try await system.audit(of: session.account.id).contains(.identityLinked))
        let notices = try await system.notices()
        #expect(notices.map(\.kind) == [.accountCreated, .accountLinked])
        #expect(notices.last?.identityID == linked[1].id)
        #expect(try await system.domain.consents.list(of: session.account.id).isEmpty)
    }

    @Test("Two people's Apple Accounts open one account")
    func twoPeople() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        let linked = try await system.link(session, person: "zoe")
        #expect(linked.map(\.provider) == ["apple", "apple"])
        #expect(try await system.signInWithApple("zoe").account.id == session.account.id)
        #expect(try await system.signInWithApple().account.id == session.account.id)
        #expect(try await system.accountCount() == 1)
    }

    @Test("An Apple Account that already opens the account stays, and its new token is kept")
    func again() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let linked = try await system.link(session)
        let before = try await system.store.appleTokens(of: linked[1].id).map(\.id)
        system.clock.advance(by: .seconds(2))
        let again = try await system.link(session)
        #expect(again.map(\.id) == linked.map(\.id))
        let after = try await system.store.appleTokens(of: linked[1].id).map(\.id)
        #expect(before.count == 1 && after.count == 1 && before != after)
        #expect(try await system.mails(.linked).count == 1)
        #expect(try await system.events(of: session.account.id).filter { $0 == .linked }.count == 1)
    }

    @Test("A link needs a recent sign-in, even if the session's challenge is fresh")
    func recentSignIn() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        system.clock.advance(by: .seconds(301))
        let credential = try await system.linkCredential(for: session)
        await expectError(.requiresRecentLogin) {
            _ = try await system.links.linkApple(in: session, with: credential, consent: nil, from: .unknown)
        }
        let renewed = try await system.passwords.reauthenticate(
            session, password: PasswordSystem.password, from: .unknown)
        let fresh = try await system.domain.sessions.authenticate(accessToken: renewed.accessToken)
        #expect(
            try await system.links.linkApple(in: fresh, with: credential, consent: nil, from: .unknown).count == 2)
    }

    @Test("A link needs a challenge of its purpose and session, and the identity token")
    func challenges() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let other = try await system.session(of: system.signIn())
        let good = try await system.linkCredential(for: session)
        var bad: [NativeSignIn] = [
            try await system.linkCredential(for: other),
            try await system.credential(nonce: "a nonce of an app's own making"),
        ]
        for purpose in [Challenge.Purpose.signIn, .reauthenticate, .upgrade, .delete] {
            let challenge = try system.domain.challenges.make(for: purpose, session: session.session.id)
            bad.append(try await system.credential(nonce: challenge.nonce))
        }
        for credential in bad {
            await expectError(.challengeInvalid) {
                _ = try await system.links.linkApple(in: session, with: credential, consent: nil, from: .unknown)
            }
        }
        await expectError(.challengeInvalid) { _ = try await system.domain.signIn.native(good, from: .unknown) }
        let codeAlone = NativeSignIn(
            identityToken: nil, authorizationCode: good.authorizationCode, nonce: good.nonce,
            clientID: PasswordSystem.juice)
        let error = await expectError(.requestInvalid) {
            _ = try await system.links.linkApple(in: session, with: codeAlone, consent: nil, from: .unknown)
        }
        #expect(error?.field == "identityToken")
        _ = try await system.links.linkApple(in: session, with: good, consent: nil, from: .unknown)
        await expectError(.alreadyUsed) {
            _ = try await system.links.linkApple(in: session, with: good, consent: nil, from: .unknown)
        }
    }

    // MARK: Consent

    @Test("A hidden address joins an address only with consent, and nothing is used up before")
    func hiddenJoins() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let credential = try await system.linkCredential(for: session, hidesEmail: true)
        for given in [nil, "an older text"] {
            let error = await expectError(.consentRequired) {
                _ = try await system.links.linkApple(
                    in: session, with: credential, consent: given.map { ConsentGiven(textVersion: $0) }, from: .unknown)
            }
            #expect(
                error?.consent == Consent.Requirement(purposes: [.linkedIdentity], textVersion: system.consentText))
        }
        #expect(try await system.count("spent") == 0)
        let linked = try await system.links.linkApple(
            in: session, with: credential, consent: ConsentGiven(textVersion: system.consentText), from: .unknown)
        #expect(linked.map(\.isPrivateEmail) == [false, true])
        let consents = try await system.domain.consents.list(of: session.account.id)
        #expect(consents.map(\.purpose) == [.linkedIdentity] && consents.map(\.textVersion) == [system.consentText])
    }

    @Test("An address joins an account that hides its address only with consent")
    func addressJoins() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let error = await expectError(.consentRequired) { try await system.link(session, person: "zoe") }
        #expect(error?.consent?.purposes == [.linkedIdentity])
        #expect(try await system.link(session, person: "zoe", consent: system.consentText).count == 2)
        #expect(try await system.domain.consents.list(of: session.account.id).map(\.purpose) == [.linkedIdentity])
    }

    @Test("An earlier consent to a contact address is no consent to a link")
    func contactConsent() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        _ = try await system.domain.profiles.update(
            ProfileUpdate(
                contactEmail: .set(EmailAddress("johnny@example.org")),
                consent: ConsentGiven(textVersion: system.consentText)), in: session, from: .unknown)
        let error = await expectError(.consentRequired) { try await system.link(session, person: "zoe") }
        #expect(error?.consent?.purposes == [.linkedIdentity])
        try await system.link(session, person: "zoe", consent: system.consentText)
        let consents = try await system.domain.consents.list(of: session.account.id)
        #expect(Set(consents.map(\.purpose)) == [.contactEmail, .linkedIdentity])
    }

    @Test("Each link needs its own consent, even of an Apple Account that was removed before")
    func eachLink() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let first = try await system.link(session, hidesEmail: true, consent: system.consentText)[1]
        await expectError(.consentRequired) { try await system.link(session, person: "zoe", hidesEmail: true) }
        _ = try await system.links.remove(first.id, in: session, from: .unknown)
        await expectError(.consentRequired) { try await system.link(session, hidesEmail: true) }
        try await system.link(session, hidesEmail: true, consent: system.consentText)
        // The removal of the way in has withdrawn the consent to it.
        let consents = try await system.domain.consents.list(of: session.account.id)
        #expect(consents.map(\.purpose) == [.linkedIdentity, .linkedIdentity])
        #expect(consents.map { $0.withdrawnAt != nil } == [false, true])
        #expect(try await system.events(of: session.account.id).filter { $0 == .consentWithdrawn }.count == 1)
        #expect(try await system.audit(of: session.account.id).contains(.consentWithdrawn))
    }

    @Test("After ten links and removals in a day a link that needs consent is refused")
    func removedTooOften() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        for _ in 0..<10 {
            let apple = try #require(
                try await system.link(session, hidesEmail: true, consent: system.consentText).last)
            _ = try await system.links.remove(apple.id, in: session, from: .unknown)
        }
        await expectError(.rateLimited) {
            try await system.link(session, hidesEmail: true, consent: system.consentText)
        }
        #expect(try await system.domain.consents.list(of: session.account.id).allSatisfy { $0.withdrawnAt != nil })
    }

    @Test("The mails have a link to the page of the ways in only if the service has that page")
    func mailsOfNativeService() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let native = try await PasswordSystem(sharing: system, isNativeOnly: true)
        let zoe = try #require(try await native.link(session, person: "zoe").last)
        try await native.link(session)
        _ = try await native.links.remove(zoe.id, in: session, from: .unknown)
        for kind in [Mail.Kind.linked, .unlinked] {
            let mails = try await native.mails(kind)
            #expect(!mails.isEmpty && mails.allSatisfy { $0.values["link"] == nil && $0.values["way"] == "apple" })
        }
        system.clock.advance(by: .seconds(1))
        let johnny = try #require(try await system.links.list(in: session.session).last)
        _ = try await system.links.remove(johnny.id, in: session, from: .unknown)
        #expect(try await system.mails(.unlinked).last?.values["link"] == "http://localhost:4000/account/links")
    }

    @Test("After ten withdrawals in a day a link is refused before anything of the credential is used up")
    func withdrawnTooOften() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        for _ in 0..<10 {
            try await system.link(session, hidesEmail: true, consent: system.consentText)
            let consent = try #require(
                try await system.domain.consents.list(of: session.account.id).first { $0.withdrawnAt == nil })
            _ = try await system.domain.consents.withdraw(consent.id, in: session, from: .unknown)
        }
        system.clock.advance(by: .minutes(24 * 60 - 2))
        let later = try await system.session(of: system.signIn())
        let credential = try await system.linkCredential(for: later, hidesEmail: true)
        let given = ConsentGiven(textVersion: system.consentText)
        let used = try await system.count("spent")
        await expectError(.rateLimited) {
            _ = try await system.links.linkApple(in: later, with: credential, consent: given, from: .unknown)
        }
        #expect(try await system.count("spent") == used)
        // Apple redeems the code once: it is as good as it was.
        system.clock.advance(by: .minutes(3))
        #expect(
            try await system.links.linkApple(in: later, with: credential, consent: given, from: .unknown).count == 2)
    }

    @Test("A hidden address joins a phone number only with consent")
    func phone() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        _ = try await system.domain.profiles.update(
            ProfileUpdate(phone: .set(PhoneNumber("+41446681800"))), in: session, from: .unknown)
        let error = await expectError(.consentRequired) {
            try await system.link(session, person: "zoe", hidesEmail: true)
        }
        #expect(error?.consent?.purposes == [.linkedIdentity, .phone])
        try await system.link(session, person: "zoe", hidesEmail: true, consent: system.consentText)
        let consents = try await system.domain.consents.list(of: session.account.id)
        #expect(Set(consents.map(\.purpose)) == [.linkedIdentity, .phone])
    }

    @Test("Two hidden addresses need no consent, because they tell nothing about each other")
    func bothHide() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple(hidesEmail: true))
        #expect(try await system.link(session, person: "zoe", hidesEmail: true).count == 2)
        #expect(try await system.domain.consents.list(of: session.account.id).isEmpty)
    }

    // MARK: At the same time

    @Test("If two accounts link one Apple Account at once, one gets it, and nothing is lost")
    func race() async throws {
        let system = try await PasswordSystem()
        let sessions = [try await system.makeAccount(), try await system.makeAccount("other@example.com")]
        for _ in 0..<Self.rounds {
            var credentials: [NativeSignIn] = []
            for session in sessions { credentials.append(try await system.linkCredential(for: session)) }
            let requests = Array(zip(sessions, credentials))
            typealias Outcome = (code: String, session: StoredSession, identity: IdentityID?)
            let outcomes = try await atOnce(2) { index -> Outcome in
                do {
                    let linked = try await system.links.linkApple(
                        in: requests[index].0, with: requests[index].1, consent: nil, from: .unknown)
                    return (code: "done", session: requests[index].0, identity: linked.last?.id)
                } catch let error as AccountError {
                    return (code: error.code.description, session: requests[index].0, identity: nil)
                }
            }
            #expect(outcomes.map(\.code).sorted() == ["credential_already_in_use", "done"])
            #expect(try await system.accountCount() == 2)
            #expect(try await system.liveIdentities() == 3)
            let winner = try #require(outcomes.first { $0.code == "done" })
            _ = try await system.links.remove(#require(winner.identity), in: winner.session, from: .unknown)
        }
    }

    @Test("A link while another account loses the Apple Account succeeds, or gives a handle")
    func leavingAnother() async throws {
        let system = try await PasswordSystem()
        for round in 0..<20 {
            let other = try await system.makeAccount("other\(round)@example.com")
            let apple = try #require(try await system.link(other).last)
            let session = try await system.makeAccount("person\(round)@example.com")
            let credential = try await system.linkCredential(for: session)
            let outcomes = try await atOnce(2) { index in
                do {
                    guard index == 0 else {
                        // The link asks Apple first. The removal begins at some point of that.
                        for _ in 0..<(round * 20) { await Task.yield() }
                        _ = try await system.links.remove(apple.id, in: other, from: .unknown)
                        return "removed"
                    }
                    _ = try await system.links.linkApple(in: session, with: credential, consent: nil, from: .unknown)
                    return "linked"
                } catch let error as AccountError {
                    return error.conflict == nil ? error.code.description : "handle"
                }
            }
            #expect(["linked", "handle"].contains(outcomes.filter { $0 != "removed" }.first), "\(outcomes)")
            #expect(try await system.links.list(in: other.session).map(\.provider) == ["email"])
            _ = try await system.domain.directory.delete(session.account.id)
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test("A link during a deletion leaves no account and no identity")
    func deletion() async throws {
        let system = try await PasswordSystem()
        for round in 0..<Self.rounds {
            let session = try await system.makeAccount("person\(round)@example.com")
            let credential = try await system.linkCredential(for: session)
            _ = try await atOnce(2) { index in
                do {
                    if index == 0 {
                        _ = try await system.links.linkApple(
                            in: session, with: credential, consent: nil, from: .unknown)
                    } else {
                        // The link asks Apple first. The deletion begins at some point of that.
                        for _ in 0..<(round * 40) { await Task.yield() }
                        _ = try await system.domain.deletions.delete(accountOf: session, from: .unknown)
                    }
                    return "done"
                } catch let error as AccountError where error.code == .sessionEnded {
                    return error.code.description
                }
            }
            #expect(try await system.accountCount() == 0)
            #expect(try await system.liveIdentities() == 0)
            #expect(try await system.count("apple_tokens") == 0)
        }
        #expect(try await system.signInWithApple().isNewAccount)
    }
}
