import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import OpenIDConnect
import Testing

@testable import AccountService

extension PasswordSystem {
    private var web: ProviderWebSignIn { domain.providerSignIn }

    /// Sends a browser to a provider.
    fileprivate func begin(
        _ purpose: ProviderWebSignIn.Purpose = .signIn(nil), at id: String = "example", browser: BrowserSecret? = nil
    ) async throws -> SignInBeginning {
        try await web.begin(purpose, at: id, returnPath: .account, browser: browser)
    }

    /// Takes the browser back with what a person has done at the provider.
    @discardableResult
    fileprivate func finish(
        _ beginning: SignInBeginning, at id: String = "example", person: TestOpenIDProvider.Person = .init(),
        fields: [(name: String, value: String)]? = nil, browser: BrowserSecret?? = .none
    ) async throws -> WebEnding {
        let provider = try #require(providers.first { $0.id == id })
        return try await web.finish(
            fields ?? provider.authorize(person, at: beginning.location), at: id,
            browser: browser ?? beginning.browser, from: Self.caller)
    }

    /// A browser's session, after a sign-in with a provider.
    fileprivate func browserSession(_ person: TestOpenIDProvider.Person = .init()) async throws -> StoredSession {
        guard case .signIn(let done) = try await finish(begin(), person: person) else {
            throw AccountError(.unavailable, "that was no sign-in")
        }
        return try await domain.sessions.authenticate(cookie: done.sessionCookie)
    }
}

@Suite("A browser's sign-in with another provider", .eachEngine)
struct ProviderWebSignInTests {
    @Test("It ends in a session of the account that an app's token also opens")
    func signsIn() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.browserSession()
        #expect(session.session.kind == .browser && session.session.hasNonceProof)
        #expect(session.session.clientID.rawValue == TestOpenIDProvider.client)
        #expect(try await system.signInWithProvider().account.id == session.account.id)
        #expect(try await system.count("attempts") == 0)
    }

    @Test("The database holds neither the state nor the secrets of an attempt")
    func secrets() async throws {
        let system = try await PasswordSystem.withProviders()
        let beginning = try await system.begin()
        let row = try #require(
            try await system.store.read { connection in
                try connection.first("SELECT provider, sealed_provider, nonce FROM attempts", []) {
                    try (provider: $0.text(), sealed: $0.bytes(), nonce: $0.text())
                }
            })
        #expect(row.provider == "example" && row.nonce.count == 43)
        #expect(!beginning.location.contains(row.nonce), "an older program asks for a nonce that nobody has")
        #expect(!row.sealed.isEmpty && !String(decoding: row.sealed, as: UTF8.self).contains("codeVerifier"))
        #expect(beginning.location.contains("code_challenge_method=S256"))
        #expect(
            beginning.location.contains("redirect_uri=http%3A%2F%2Flocalhost%3A4000%2Fsign-in%2Fexample%2Fcallback"))
    }

    @Test("An attempt works once, in its browser, for ten minutes")
    func once() async throws {
        let system = try await PasswordSystem.withProviders()
        let (first, second) = (try await system.begin(), try await system.begin())
        let fields = system.providers[0].authorize(at: first.location)
        try await system.finish(first, fields: fields)
        await expectError(.attemptUnknown) { try await system.finish(first, fields: fields) }
        await expectError(.browserMismatch) { try await system.finish(second, browser: first.browser) }
        await expectError(.browserMismatch) { try await system.finish(second, browser: .some(nil)) }
        #expect(system.providers[0].exchanges == 1)
        try await system.finish(second)
        let late = try await system.begin()
        system.clock.advance(by: .minutes(10))
        await expectError(.attemptExpired) { try await system.finish(late) }
        await expectError(.attemptUnknown) { try await system.finish(late, fields: [(name: "code", value: "x")]) }
        #expect(system.providers[0].exchanges == 2, "no refused answer has cost a code")
    }

    @Test("Another provider or Apple can't finish an attempt, and it stays valid")
    func mixUp() async throws {
        let system = try await PasswordSystem.withProviders()
        let beginning = try await system.begin()
        let fields = system.providers[0].authorize(at: beginning.location)
        await expectError(.attemptUnknown) { try await system.finish(beginning, at: "other", fields: fields) }
        await expectError(.attemptUnknown) {
            _ = try await system.domain.callback.finish(
                AuthorizationResponse(form: fields), browser: beginning.browser)
        }
        #expect(system.providers[1].exchanges == 0, "the code went nowhere")
        try await system.finish(beginning, fields: fields)

        // The other provider's code with this attempt's state: it says who it is, and this provider does not know the
        // code.
        let second = try await system.begin()
        let wrong = [
            (name: "code", value: "code-of-another"), (name: "state", value: second.request.state),
            (name: "iss", value: system.providers[1].issuer),
        ]
        await expectProviderError(.providerMixUp) { try await system.finish(second, fields: wrong) }
        await expectError(.attemptUnknown) { try await system.finish(second) }
        #expect(system.providers[0].exchanges == 1)

        let apple = try await system.domain.signIn.begin(browser: nil)
        var forged = wrong
        forged[1].value = apple.request.state
        await expectError(.attemptUnknown) { try await system.finish(apple, fields: forged) }
        #expect(try await system.count("attempts") == 1, "Apple's attempt is still there")
    }

    @Test("A refusal at the provider is a cancellation, and an unknown provider is an error")
    func refusals() async throws {
        let system = try await PasswordSystem.withProviders()
        let beginning = try await system.begin()
        let no = system.providers[0].refuse(at: beginning.location)
        await expectError(.cancelled) { try await system.finish(beginning, fields: no) }
        await expectError(.providerUnknown) { _ = try await system.begin(at: "third") }
        let session = try await system.browserSession()
        let proof = try await system.begin(.reauthentication(session))
        let ending = try await system.finish(proof, fields: system.providers[0].refuse(at: proof.location))
        guard case .cancelled = ending else {
            Issue.record("the person goes back to where they were")
            return
        }
        system.providers[1].isDown = true
        await expectProviderError(.providerUnavailable) { _ = try await system.begin(at: "other") }
    }

    @Test("A fresh proof renews the session of its own person only")
    func reauthentication() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.browserSession()
        system.clock.advance(by: .minutes(6))
        let wrong = try await system.begin(.reauthentication(session))
        #expect(wrong.location.contains("prompt=login"))
        await expectError(.credentialMismatch) { try await system.finish(wrong, person: .init("person-2")) }
        let elsewhere = try await system.begin(.reauthentication(session), at: "other")
        await expectError(.credentialMismatch) { try await system.finish(elsewhere, at: "other") }
        let right = try await system.begin(.reauthentication(session))
        guard case .signIn(let done) = try await system.finish(right) else {
            Issue.record("no new session")
            return
        }
        let renewed = try await system.domain.sessions.authenticate(cookie: done.sessionCookie)
        #expect(renewed.account.id == session.account.id && renewed.session.hasRecentSignIn(at: system.now))
        #expect(try await system.end(of: session) == .replaced)
    }

    @Test(
        "The provider's auth_time decides how fresh a proof is, whatever became of the prompt",
        arguments: [nil, 400] as [Int?])
    func recency(age: Int?) async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.browserSession()
        let provider = system.providers[0]
        for purpose in [ProviderWebSignIn.Purpose.reauthentication(session), .deletion(session)] {
            let beginning = try await system.begin(purpose)
            #expect(beginning.location.contains("max_age=300"))
            provider.authenticationAge = age
            await #expect(throws: OpenIDConnectError.self) { try await system.finish(beginning) }
        }
        let credential = try system.providerCredential(.init(), for: .reauthenticate, in: session)
        await #expect(throws: OpenIDConnectError.self) {
            _ = try await system.domain.reauthentications.reauthenticate(session, with: credential, from: .unknown)
        }
        // A sign-in needs no fresh authentication.
        try await system.signInWithProvider()
        #expect(try await system.accountCount() == 1)
    }

    @Test(
        "A sign-in is as fresh as the provider says, so a silent one can't change the account",
        arguments: [nil, 400] as [Int?])
    func silent(age: Int?) async throws {
        let system = try await PasswordSystem.withProviders()
        system.providers[0].authenticationAge = age
        let sessions = [
            try await system.session(of: system.signInWithProvider()), try await system.browserSession(),
        ]
        for session in sessions {
            #expect(!session.session.hasRecentSignIn(at: system.now))
            await expectError(.requiresRecentLogin) { try await system.link(session) }
            await expectError(.requiresRecentLogin) {
                let handle = ConflictHandle(randomness: Array(repeating: 7, count: 32))
                _ = try await system.merges.plan(with: handle, in: session)
            }
            await expectError(.requiresRecentLogin) {
                _ = try await system.links.remove(session.session.identityID, in: session, from: .unknown)
            }
            await expectError(.requiresRecentLogin) {
                _ = try await system.domain.deletions.delete(accountOf: session)
            }
        }
        system.providers[0].authenticationAge = 200
        let fresh = try await system.session(of: system.signInWithProvider())
        #expect(fresh.session.hasRecentSignIn(at: system.now))
        system.clock.advance(by: .seconds(101))
        #expect(!fresh.session.hasRecentSignIn(at: system.now), "the five minutes began at the provider")
    }

    @Test("A proof and a handle have the provider's time, and a proof makes no session older")
    func aged() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.session(of: system.signInWithProvider())
        func prove() async throws -> Session {
            let credential = try system.providerCredential(.init(), for: .reauthenticate, in: session)
            _ = try await system.domain.reauthentications.reauthenticate(session, with: credential, from: .unknown)
            return try #require(try await system.store.session(session.session.id)).session
        }
        system.providers[0].authenticationAge = 200
        let kept = try await prove()
        #expect(kept.authenticatedAt == session.session.authenticatedAt)
        system.clock.advance(by: .minutes(6))
        let proven = try await prove()
        #expect(proven.authenticatedAt == system.now - .seconds(200))
        system.providers[0].authenticationAge = 300
        await expectProviderError(.authenticationTooOld) { _ = try await prove() }

        let person = TestOpenIDProvider.Person("person-2")
        try await system.signInWithProvider(person, at: 1)
        let owner = try await system.makeAccount()
        system.providers[1].authenticationAge = 200
        let error = await expectError(.credentialAlreadyInUse) { try await system.link(person, at: 1, to: owner) }
        let handle = try #require(error?.conflict?.handle)
        let entered = try await system.links.signIn(with: handle, in: owner, from: .unknown)
        let opened = try await system.session(of: entered)
        #expect(opened.session.authenticatedAt == system.now - .seconds(200))
    }

    @Test(
        "A link needs a recent authentication, so a silent answer links nothing and gives no handle",
        arguments: [nil, 400] as [Int?])
    func silentLink(age: Int?) async throws {
        let system = try await PasswordSystem.withProviders()
        let person = TestOpenIDProvider.Person("person-2")
        try await system.signInWithProvider(person, at: 1)
        let session = try await system.makeAccount()
        system.providers[1].authenticationAge = age
        for person in [person, .init("person-3")] {
            await #expect(throws: OpenIDConnectError.self) { try await system.link(person, at: 1, to: session) }
            let beginning = try await system.begin(.link(session, nil), at: "other")
            #expect(beginning.location.contains("max_age=300"))
            await #expect(throws: OpenIDConnectError.self) {
                try await system.finish(beginning, at: "other", person: person)
            }
        }
        #expect(try await system.count("conflict_handles") == 0)
        #expect(try await system.links.list(in: session.session).count == 1)
    }

    @Test("A fresh proof deletes the account for which it was begun")
    func deletion() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.browserSession()
        let wrong = try await system.begin(.deletion(session))
        await expectError(.credentialMismatch) { try await system.finish(wrong, person: .init("person-2")) }
        guard case .deleted(let receipt) = try await system.finish(system.begin(.deletion(session))) else {
            Issue.record("nothing was deleted")
            return
        }
        #expect(receipt.deletion.state == .done && !receipt.deletion.hasApple)
        #expect(try await system.accountCount() == 0)
    }

    @Test("A person who comes back becomes a way in, or opens another account, or needs consent")
    func link() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.browserSession()
        let beginning = try await system.begin(.link(session, nil), at: "other")
        #expect(beginning.location.contains("prompt=select_account"))
        #expect(try await system.begin(.signIn(session.session.id)).location.contains("prompt=select_account"))
        #expect(try await !system.begin().location.contains("prompt="))
        guard case .linked = try await system.finish(beginning, at: "other") else {
            Issue.record("nothing was linked")
            return
        }
        #expect(Set(try await system.links.list(in: session.session).map(\.provider)) == ["example", "other"])

        let again = try await system.begin(.link(session, nil), at: "other")
        guard case .linkedBefore = try await system.finish(again, at: "other") else {
            Issue.record("something was linked")
            return
        }
        let elsewhere = try await system.signInWithProvider(.init("person-2"), at: 1).account.id
        let conflicting = try await system.begin(.link(session, nil), at: "other")
        let ending = try await system.finish(conflicting, at: "other", person: .init("person-2"))
        guard case .linkConflict(let conflict) = ending else {
            Issue.record("no handle came")
            return
        }
        let browser = conflicting.browser
        let there = try await system.links.signIn(
            with: conflict.handle, in: session, browser: browser, from: .unknown)
        #expect(there.account.id == elsewhere)

        let hidden = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let unasked = try await system.begin(.link(hidden, nil))
        guard case .linkNeedsConsent = try await system.finish(unasked, person: .init("person-3")) else {
            Issue.record("a provider tells who the person is")
            return
        }
        let consent = ConsentGiven(textVersion: system.consentText)
        let asked = try await system.begin(.link(hidden, consent))
        guard case .linked = try await system.finish(asked, person: .init("person-3")) else {
            Issue.record("the consent counts")
            return
        }
        system.clock.advance(by: .minutes(6))
        await expectError(.requiresRecentLogin) { _ = try await system.begin(.link(hidden, consent)) }
    }

    @Test("If the key ring has lost an attempt's key, the person has to start again")
    func otherRing() async throws {
        let system = try await PasswordSystem.withProviders()
        let beginning = try await system.begin()
        try await system.store.write { connection in
            _ = try connection.execute("UPDATE attempts SET sealed_provider = ?1", [.bytes([1, 2, 3])])
        }
        await expectError(.attemptUnknown) { try await system.finish(beginning) }
        #expect(system.providers[0].exchanges == 0)
    }
}
