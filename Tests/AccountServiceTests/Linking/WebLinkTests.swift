import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

/// A browser whose person signed in with an address and a password.
private struct TestBrowser {
    let secret: BrowserSecret
    let session: StoredSession
}

extension PasswordSystem {
    fileprivate func openBrowser(_ secret: BrowserSecret? = nil) async throws -> TestBrowser {
        let browser = secret ?? passwords.newBrowser()
        let done = try await passwords.signIn(
            email: Self.address, password: Self.password, returnPath: .account, browser: browser, former: nil,
            from: .unknown)
        return TestBrowser(
            secret: browser, session: try await domain.sessions.authenticate(cookie: done.sessionCookie))
    }

    fileprivate func beginLink(_ browser: TestBrowser, consent: String? = nil) async throws -> SignInBeginning {
        clock.advance(by: .seconds(1))
        return try await links.begin(
            in: browser.session, consent: consent.map { ConsentGiven(textVersion: $0) }, returnPath: .account,
            browser: browser.secret)
    }

    /// Takes a browser to Apple and back.
    fileprivate func finishLink(
        _ beginning: SignInBeginning, in browser: BrowserSecret, hidesEmail: Bool = false
    ) async throws -> WebEnding {
        var request = TestAuthorizationRequest(client: beginning.request.client)
        request.redirectURI = beginning.request.redirectURI
        request.state = beginning.request.state
        request.nonce = beginning.request.nonce
        request.responseType = .codeIDToken
        request.responseMode = .formPost
        request.hidesEmail = hidesEmail
        let form = try await emulator.authorize(request).fields
        return try await domain.callback.finish(AuthorizationResponse(form: form), browser: browser)
    }

    /// A browser that has tried to link the Apple Account of another account.
    fileprivate func conflict() async throws -> (browser: TestBrowser, handle: ConflictHandle, account: AccountID) {
        let other = try await signInWithApple().account.id
        _ = try await makeAccount()
        let browser = try await openBrowser()
        let ending = try await finishLink(try await beginLink(browser), in: browser.secret)
        guard case .linkConflict(let conflict) = ending else {
            throw AccountError(.tokenInvalid, "it ended as \(ending)")
        }
        return (browser, conflict.handle, other)
    }
}

@Suite("A link in a browser", .eachEngine)
struct WebLinkTests {
    @Test("The person goes to Apple and comes back to the same session, which has one more way in")
    func links() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        let browser = try await system.openBrowser()
        let ending = try await system.finishLink(try await system.beginLink(browser), in: browser.secret)
        guard case .linked = ending else {
            Issue.record("it ended as \(ending)")
            return
        }
        #expect(try await system.links.list(in: browser.session.session).map(\.provider) == ["email", "apple"])
        #expect(try await system.end(of: browser.session) == nil)
        #expect(try await system.signInWithApple().account.id == account)
    }

    @Test("A hidden address needs consent to the text that is current when the person comes back")
    func consent() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let browser = try await system.openBrowser()
        for given in [nil, "0", system.consentText] {
            let beginning = try await system.beginLink(browser, consent: given)
            let ending = try await system.finishLink(beginning, in: browser.secret, hidesEmail: true)
            switch ending {
            case .linkNeedsConsent: #expect(given != system.consentText)
            case .linked: #expect(given == system.consentText)
            default: Issue.record("it ended as \(ending)")
            }
        }
        #expect(try await system.links.list(in: browser.session.session).count == 2)
        let consents = try await system.domain.consents.list(of: browser.session.account.id)
        #expect(consents.map(\.textVersion) == [system.consentText])
    }

    @Test("A link in a browser needs a recent sign-in")
    func recentSignIn() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let browser = try await system.openBrowser()
        system.clock.advance(by: .minutes(5))
        await expectError(.requiresRecentLogin) { _ = try await system.beginLink(browser) }
        #expect(try await system.count("attempts") == 0)
    }

    @Test("The link can't be finished in another browser, or after the end of its session")
    func forged() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let attacker = try await system.openBrowser()
        let victim = try await system.openBrowser()
        let lured = try await system.beginLink(attacker)
        await expectError(.browserMismatch) { _ = try await system.finishLink(lured, in: victim.secret) }
        let ended = try await system.beginLink(attacker)
        try await system.domain.sessions.end(attacker.session.session.id)
        await expectError(.sessionEnded) { _ = try await system.finishLink(ended, in: attacker.secret) }
        #expect(try await system.links.list(in: victim.session.session).count == 1)
        #expect(try await system.signInWithApple().isNewAccount)
    }

    @Test("After a conflict the handle signs this browser in to the other account, once")
    func handle() async throws {
        let system = try await PasswordSystem()
        let (browser, handle, other) = try await system.conflict()
        #expect(try await system.links.list(in: browser.session.session).count == 1)
        let done = try await system.links.signIn(
            with: handle, in: browser.session, browser: browser.secret, from: PasswordSystem.caller)
        #expect(done.account.id == other && !done.isNewAccount && done.returnPath == .account)
        let opened = try await system.domain.sessions.authenticate(cookie: done.sessionCookie)
        #expect(opened.account.id == other && opened.session.kind == .browser)
        #expect(try await system.end(of: browser.session) == .replaced)
        await expectError(.handleInvalid) {
            _ = try await system.links.signIn(
                with: handle, in: browser.session, browser: browser.secret, from: .unknown)
        }
        #expect(try await system.accountCount() == 2)
    }

    @Test("The handle works only in this browser and session, and for five minutes")
    func bound() async throws {
        let system = try await PasswordSystem()
        let (browser, handle, _) = try await system.conflict()
        let other = try await system.openBrowser()
        for (session, secret) in [
            (other.session, other.secret), (other.session, browser.secret), (browser.session, other.secret),
        ] {
            await expectError(.handleInvalid) {
                _ = try await system.links.signIn(with: handle, in: session, browser: secret, from: .unknown)
            }
        }
        await expectError(.handleInvalid) {
            _ = try await system.links.signIn(with: handle, in: browser.session, from: .unknown)
        }
        system.clock.advance(by: .minutes(5))
        await expectError(.handleInvalid) {
            _ = try await system.links.signIn(
                with: handle, in: browser.session, browser: browser.secret, from: .unknown)
        }
        #expect(try await system.end(of: browser.session) == nil)
    }

    @Test("The handle merges only in this browser and session, and not in a call of an app")
    func merge() async throws {
        let system = try await PasswordSystem()
        let (browser, handle, from) = try await system.conflict()
        let other = try await system.openBrowser()
        let plan = try await system.merges.plan(with: handle, in: browser.session, browser: browser.secret)
        let wrong: [(StoredSession, BrowserSecret?)] = [
            (other.session, other.secret), (other.session, browser.secret), (browser.session, other.secret),
            (browser.session, nil),
        ]
        for (session, secret) in wrong {
            await expectError(.handleInvalid) {
                _ = try await system.merges.plan(with: handle, in: session, browser: secret)
            }
            await expectError(.handleInvalid) {
                _ = try await system.merges.merge(
                    with: handle, confirming: plan.confirmation, consent: nil, in: session, browser: secret,
                    from: .unknown)
            }
        }
        #expect(try await system.accountCount() == 2)
        let merged = try await system.merges.merge(
            with: handle, confirming: plan.confirmation, consent: nil, in: browser.session, browser: browser.secret,
            from: .unknown)
        #expect(merged.from == from && merged.account.id == browser.session.account.id)
        #expect(try await system.accountCount() == 1)
    }

    // MARK: An address

    @Test("The link to an address works in the browser that asked, also in a later session of the account")
    func address() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        let later = try await system.session(of: system.signInWithApple())
        let zoe = try await system.session(of: system.signInWithApple("zoe"))
        let (browser, foreign) = (system.passwords.newBrowser(), system.passwords.newBrowser())
        try await system.passwords.requestLink(
            in: apple, email: PasswordSystem.address, password: PasswordSystem.password, consent: nil,
            browser: browser, from: .unknown)
        let secret = try #require(try await system.mails(.linkAddress).last?.secret)
        for (session, secretOfBrowser) in [(later, foreign), (later, nil), (zoe, browser)] {
            #expect(
                try await !system.passwords.link(secret, browser: secretOfBrowser, session: session.session)
                    .isOfBrowser)
            await expectError(.linkUnknown) {
                _ = try await system.passwords.finishLink(
                    secret, in: session, browser: secretOfBrowser, from: .unknown)
            }
        }
        #expect(try await system.passwords.link(secret, browser: browser, session: later.session).isOfBrowser)
        #expect(try await !system.passwords.link(secret, browser: browser).isOfBrowser)
        let linked = try await system.passwords.finishLink(secret, in: later, browser: browser, from: .unknown)
        #expect(linked.count == 2)
        #expect(try await system.signIn().account.id == apple.account.id)
    }
}
