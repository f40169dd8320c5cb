import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@testable import AccountService

@Suite("An upgrade to Sign in with Apple", .eachEngine)
struct UpgradeTests {
    /// Apple's credential for an upgrade in a session.
    private func credential(
        for session: StoredSession, person: String = "johnny", name: String? = nil, hidesEmail: Bool = false,
        _ system: PasswordSystem
    ) async throws -> NativeSignIn {
        let challenge = try system.domain.challenges.make(for: .upgrade, session: session.session.id)
        return try await system.credential(person, nonce: challenge.nonce, name: name, hidesEmail: hidesEmail)
    }

    private func upgrade(
        _ session: StoredSession, _ credential: NativeSignIn, consent: String? = nil, endingOthers: Bool = false,
        _ system: PasswordSystem
    ) async throws -> Upgraded {
        try await system.domain.upgrades.upgrade(
            session, with: credential, consent: consent.map { ConsentGiven(textVersion: $0) },
            endingOthers: endingOthers, from: PasswordSystem.caller)
    }

    @Test("The account stays the same, the password is removed, and sessions move or end", arguments: [true, false])
    func upgrades(endingOthers: Bool) async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount(name: try .sample("Zoë", nil))
        let other = try await system.session(of: system.signIn())
        let ended = try await system.session(of: system.signIn())
        try await system.domain.sessions.end(ended.session.id)
        let waiting = try await system.signInLink()
        let done = try await upgrade(
            session, credential(for: session, name: "Johnny", system), endingOthers: endingOthers, system)
        #expect(done.account.id == session.account.id && done.account.appleToken == .held)
        #expect(done.account.name?.givenName == "Zoë", "a name that the person typed stays")
        #expect(done.account.contactEmail == PasswordSystem.address && done.account.email != PasswordSystem.address)
        let moved = try await system.domain.sessions.authenticate(accessToken: done.accessToken)
        #expect(moved.session.id == session.session.id && moved.session.identityID != session.session.identityID)
        #expect(try await system.end(of: other) == (endingOthers ? .upgraded : nil))
        #expect(try await system.end(of: ended) == .signedOut)
        #expect(
            try await system.store.session(other.session.id)?.session.identityID
                == (endingOthers ? session.session.identityID : moved.session.identityID))
        #expect(try await system.domain.waysIn(of: done.account.id) == WaysIn(apple: true))
        #expect(try await system.count("passwords") == 0)
        await expectError(.wrongCredentials) { try await system.signIn() }
        await expectError(.linkUnknown) { try await system.finishSignIn(waiting, email: PasswordSystem.address) }
        #expect(try await system.signInWithApple().account.id == session.account.id)
        #expect(try await system.accountCount() == 1)

        let mails = try await system.mails(.upgraded)
        #expect(mails.map(\.recipient) == [PasswordSystem.address])
        #expect(mails[0].values["address"] == PasswordSystem.address)
        #expect(try await system.events(of: done.account.id).contains(.upgraded))
        #expect(try await system.audit(of: done.account.id).isSuperset(of: [.upgraded, .profileChanged]))
        #expect(try await system.domain.consents.list(of: done.account.id).isEmpty)
    }

    @Test("A hidden address needs consent to the phone number too, where the account has one")
    func phone() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        _ = try await system.domain.profiles.update(
            ProfileUpdate(phone: .set(PhoneNumber("+491701234567"))), in: session, from: .unknown)
        let credential = try await credential(for: session, hidesEmail: true, system)
        let error = await expectError(.consentRequired) { _ = try await upgrade(session, credential, system) }
        #expect(error?.consent?.purposes == [.contactEmail, .phone])
        let current = system.domain.configuration.consentTexts.current
        let done = try await upgrade(session, credential, consent: current, system)
        #expect(done.account.phone == "+491701234567")
        let consents = try await system.domain.consents.list(of: done.account.id)
        #expect(Set(consents.map(\.purpose)) == [.contactEmail, .phone] && consents.count == 2)
        #expect(try await system.domain.consents.missing(for: done.account.id) == nil)
    }

    @Test("Hooks are notified, with Apple's identity")
    func notice() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let done = try await upgrade(session, credential(for: session, system), system)
        var notices: [AccountNotice] = []
        while true {
            let lease = QueueLease.sample(at: system.now)
            let taken = try await system.store.leaseNotices(for: "backend", lease)
            guard !taken.isEmpty else { break }
            for pending in taken {
                notices.append(pending.notice)
                _ = try await system.store.endNoticeAttempt(
                    pending.notice.id, for: "backend", owner: lease.owner, .taken)
            }
        }
        let moved = try await system.domain.sessions.authenticate(accessToken: done.accessToken)
        #expect(notices.map(\.kind) == [.accountCreated, .accountProfileChanged, .accountUpgraded])
        #expect(notices.last?.identityID == moved.session.identityID)
    }

    @Test("An upgrade needs a recent sign-in, and the password proves it")
    func recentSignIn() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        system.clock.advance(by: .minutes(5))
        let old = try await system.session(of: system.signIn())
        system.clock.advance(by: .minutes(5))
        let credential = try await credential(for: old, system)
        await expectError(.requiresRecentLogin) { _ = try await upgrade(old, credential, system) }
        await expectError(.requiresRecentLogin) {
            _ = try await system.domain.upgrades.begin(in: session, consent: nil, endingOthers: false, browser: nil)
        }
        let renewed = try await system.passwords.reauthenticate(old, password: PasswordSystem.password, from: .unknown)
        let fresh = try await system.domain.sessions.authenticate(accessToken: renewed.accessToken)
        #expect(try await upgrade(fresh, credential, system).account.id == session.account.id)
    }

    @Test("A hidden address needs consent before anything is used up, and then the same credential works")
    func consent() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let credential = try await credential(for: session, hidesEmail: true, system)
        let current = system.domain.configuration.consentTexts.current
        for given in [nil, "an older text"] {
            let error = await expectError(.consentRequired) {
                _ = try await upgrade(session, credential, consent: given, system)
            }
            #expect(error?.consent == Consent.Requirement(purposes: [.contactEmail], textVersion: current))
        }
        #expect(try await system.domain.waysIn(of: session.account.id).hasPassword)
        #expect(try await system.count("spent") == 0)
        let done = try await upgrade(session, credential, consent: current, system)
        #expect(done.account.isPrivateEmail && done.account.contactEmail == PasswordSystem.address)
        #expect(done.account.appleToken == .held)
        let consents = try await system.domain.consents.list(of: done.account.id)
        #expect(consents.map(\.purpose) == [.contactEmail] && consents.map(\.textVersion) == [current])
        #expect(try await system.domain.consents.missing(for: done.account.id)?.purposes == [.phone])
    }

    @Test("An Apple Account that opens another account is refused, and its credential stays good")
    func inUse() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.signInWithApple().account.id
        let session = try await system.makeAccount()
        let credential = try await credential(for: session, system)
        await expectError(.credentialAlreadyInUse) { _ = try await upgrade(session, credential, system) }
        #expect(try await system.domain.waysIn(of: session.account.id).hasPassword)
        #expect(try await system.signInWithApple().account.id == apple)
        #expect(try await system.store.appleTokens(of: session.session.identityID).isEmpty)
    }

    @Test("An account of Apple's can't be upgraded, and no account twice")
    func notByPassword() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple("zoe"))
        let credential = try await credential(for: apple, system)
        await expectError(.notByPassword) { _ = try await upgrade(apple, credential, system) }
        let session = try await system.makeAccount()
        _ = try await upgrade(session, self.credential(for: session, system), system)
        let moved = try #require(try await system.store.session(session.session.id))
        let again = try await self.credential(for: moved, system)
        await expectError(.notByPassword) { _ = try await upgrade(moved, again, system) }
    }

    @Test("The nonce is a challenge for an upgrade, made for the session")
    func challenge() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let other = try await system.session(of: system.signIn())
        let foreign = try await credential(for: other, system)
        await expectError(.challengeInvalid) { _ = try await upgrade(session, foreign, system) }
        let purpose = try system.domain.challenges.make(for: .reauthenticate, session: session.session.id)
        let wrong = try await system.credential(nonce: purpose.nonce)
        await expectError(.challengeInvalid) { _ = try await upgrade(session, wrong, system) }
        let own = try await system.credential(nonce: "a nonce of an app's own making")
        await expectError(.challengeInvalid) { _ = try await upgrade(session, own, system) }
        let good = try await credential(for: session, system)
        let codeAlone = NativeSignIn(
            identityToken: nil, authorizationCode: good.authorizationCode, nonce: good.nonce,
            clientID: PasswordSystem.juice)
        let error = await expectError(.requestInvalid) { _ = try await upgrade(session, codeAlone, system) }
        #expect(error?.field == "identityToken")
        _ = try await upgrade(session, good, system)
    }

    @Test("If two accounts upgrade with one Apple Account at once, one gets it, and nothing is lost")
    func race() async throws {
        let system = try await PasswordSystem()
        let sessions = [
            try await system.makeAccount(), try await system.makeAccount("other@example.com"),
        ]
        var credentials: [NativeSignIn] = []
        for session in sessions { credentials.append(try await credential(for: session, system)) }
        let requests = Array(zip(sessions, credentials))
        let codes = try await atOnce(2) { index in
            do {
                _ = try await upgrade(requests[index].0, requests[index].1, system)
                return "done"
            } catch let error as AccountError {
                return error.code.description
            }
        }
        #expect(codes.sorted() == ["credential_already_in_use", "done"])
        #expect(try await system.accountCount() == 2)
        #expect(try await system.count("passwords") == 1)
    }

    @Test("If one account is upgraded twice at once, one upgrade succeeds")
    func raceOfOne() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let credentials = [
            try await credential(for: session, system), try await credential(for: session, person: "zoe", system),
        ]
        let codes = try await atOnce(2) { index in
            do {
                _ = try await upgrade(session, credentials[index], system)
                return "done"
            } catch let error as AccountError {
                return error.code.description
            }
        }
        #expect(codes.sorted() == ["done", "not_by_password"])
        #expect(try await system.store.identities(of: session.account.id).count == 1)
    }

    @Test("A call that read its session before an upgrade gets notByPassword, and not that the session has ended")
    func stale() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let first = try await credential(for: session, system)
        let other = try await credential(for: session, person: "zoe", system)
        _ = try await upgrade(session, first, system)
        await expectError(.notByPassword) { _ = try await upgrade(session, other, system) }
    }

    @Test("A new password whose account was upgraded while the password was hashed is refused as not by password")
    func hashedMeanwhile() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let identity = try await system.domain.sessions.identity(of: session.session)
        let change = PasswordChangeRecord(
            session: session.session.id, proven: nil, sealed: [1], identity: identity.id,
            personHash: TokenHash.person(team: identity.team, subject: identity.subject), endsOthers: false,
            formHashes: [], caller: PasswordSystem.caller, at: system.now,
            mail: PasswordMail(.passwordChanged, writer: system.domain.mailWriter, at: system.now, languages: []))
        _ = try await upgrade(session, credential(for: session, system), system)
        await expectError(.notByPassword) { try await system.store.changePassword(change) }
    }

    /// Takes a browser to Apple and back.
    private func goToApple(
        _ beginning: SignInBeginning, _ system: PasswordSystem, _ browser: BrowserSecret,
        _ decide: (inout TestAuthorizationRequest) -> Void = { _ in }
    ) async throws -> WebEnding {
        var request = TestAuthorizationRequest(client: beginning.request.client)
        request.redirectURI = beginning.request.redirectURI
        request.state = beginning.request.state
        request.nonce = beginning.request.nonce
        request.responseType = .codeIDToken
        request.responseMode = .formPost
        decide(&request)
        let form = try await system.emulator.authorize(request).fields
        return try await system.domain.callback.finish(AuthorizationResponse(form: form), browser: browser)
    }

    @Test("In a browser, the person goes to Apple and comes back to the same session")
    func browser() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        let browser = system.passwords.newBrowser()
        let done = try await system.passwords.signIn(
            email: PasswordSystem.address, password: PasswordSystem.password, returnPath: .account, browser: browser,
            former: nil, from: .unknown)
        let session = try await system.domain.sessions.authenticate(cookie: done.sessionCookie)
        let beginning = try await system.domain.upgrades.begin(
            in: session, consent: nil, endingOthers: true, browser: browser)
        let ending = try await goToApple(beginning, system, browser)
        guard case .upgraded = ending else {
            Issue.record("it ended as \(ending)")
            return
        }
        let moved = try await system.domain.sessions.authenticate(cookie: done.sessionCookie)
        #expect(moved.session.id == session.session.id && moved.session.identityID != session.session.identityID)
        #expect(try await system.domain.waysIn(of: account) == WaysIn(apple: true))
    }

    @Test("A browser whose upgrade is refused keeps Apple's name for the next one, since Apple sends it once")
    func nameOfRefused() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        let current = system.domain.configuration.consentTexts.current
        for (index, consent) in [nil, ConsentGiven(textVersion: current)].enumerated() {
            let browser = system.passwords.newBrowser()
            let done = try await system.passwords.signIn(
                email: PasswordSystem.address, password: PasswordSystem.password, returnPath: .account,
                browser: browser, former: nil, from: .unknown)
            let session = try await system.domain.sessions.authenticate(cookie: done.sessionCookie)
            let beginning = try await system.domain.upgrades.begin(
                in: session, consent: consent, endingOthers: false, browser: browser)
            let ending = try await goToApple(beginning, system, browser) { request in
                request.hidesEmail = true
                request.name = (first: "Zoë", last: "Apple")
            }
            guard index == 0 else { continue }
            guard case .upgradeRefused(.consentRequired, _) = ending else {
                Issue.record("it ended as \(ending)")
                return
            }
        }
        #expect(try await system.store.account(account)?.name?.givenName == "Zoë")
    }

    @Test("If the person cancels at Apple, the password stays")
    func cancelled() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let beginning = try await system.domain.upgrades.begin(
            in: session, consent: nil, endingOthers: false, browser: nil)
        let form = [("state", beginning.request.state), ("error", "user_cancelled_authorize")]
        let ending = try await system.domain.callback.finish(
            AuthorizationResponse(form: form.map { (name: $0.0, value: $0.1) }), browser: beginning.browser)
        guard case .cancelled = ending else {
            Issue.record("it ended as \(ending)")
            return
        }
        try await system.signIn()
    }

    @Test("The removed address is free: it can sign up again, with an account of its own")
    func signUpAgain() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount("ZOE@example.com")
        let upgraded = try await upgrade(session, credential(for: session, system), system)
        try await system.domain.sessions.end(session.session.id)
        // As long as the address is the account's contact address, in any spelling, no link makes another account for it.
        for spelling in [PasswordSystem.address, "Zoe@example.com"] {
            try await system.passwords.requestSignInLink(
                email: spelling, browser: nil, returnPath: nil, from: .unknown)
        }
        #expect(try await system.mails(.accountExists).count == 2)
        let apple = try await system.session(of: system.signInWithApple())
        _ = try await system.domain.profiles.update(ProfileUpdate(contactEmail: .remove), in: apple, from: .unknown)
        let again = try await system.makeAccount()
        #expect(again.account.id != upgraded.account.id)
        #expect(try await system.domain.directory.delete(upgraded.account.id) != nil)
        try await system.signIn()
    }
}
