import AccountDatabase
import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("The result of an authorization")
struct AuthorizationSecurityTests {
    @Test("If A begins and B's browser finishes, A gets nothing", arguments: Engine.allCases)
    func tricked(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        // A goes to Apple's door too, to have a cookie of this service.
        let attacker = try await system.domain.authorizations.proceed(asking.id, browser: nil).browser
        let victim = try await system.visit(asking, person: "zoe")

        // All that A knows: the id, the verifier, a cookie of its own.
        let authorizations = system.domain.authorizations
        for guess in [asking.id.rawValue, asking.verifier, String.nonce()] {
            await expectRefusal(.handleInvalid) { try await system.redeem(guess, asking.verifier) }
            await expectRefusal(.authorizationUnknown) {
                try await authorizations.redeem(Redemption(.deviceCode(guess), codeVerifier: asking.verifier))
            }
        }
        for browser in [attacker, nil] {
            await expectRefusal(.browserMismatch) {
                try await authorizations.returnLocation(asking.id, browser: browser)
            }
            await expectRefusal(.browserMismatch) { try await authorizations.ending(asking.id, browser: browser) }
        }
        // Guessing has not used what B's own browser brings to B's own machine.
        _ = try await system.handle(asking, victim)
    }

    @Test("Apple's answer in another browser is refused, and the authorization stays open", arguments: Engine.allCases)
    func otherBrowser(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let beginning = try await system.domain.authorizations.proceed(asking.id, browser: nil)
        let other = try await system.domain.authorizations.proceed(asking.id, browser: nil).browser
        let form = try await system.decide(at: beginning.location)
        await expectRefusal(.browserMismatch) {
            try await system.domain.callback.finish(AuthorizationResponse(form: form), browser: other)
        }
        _ = try await system.domain.authorizations.prompt(asking.id)
    }

    @Test("A handle is good once", arguments: Engine.allCases)
    func once(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let browser = try await system.visit(asking)
        let handle = try await system.handle(asking, browser)
        _ = try await system.redeem(handle, asking.verifier)
        await expectRefusal(.handleInvalid) { try await system.redeem(handle, asking.verifier) }
        await expectRefusal(.authorizationExpired) { try await system.handle(asking, browser) }
        let ending = try await system.domain.authorizations.ending(asking.id, browser: browser)
        #expect(ending.next == .over && ending.failure == nil)
    }

    @Test("A wrong verifier spends the handle; the page's next one is good", arguments: Engine.allCases)
    func wrongVerifier(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let browser = try await system.visit(asking)
        let handle = try await system.handle(asking, browser)
        await expectRefusal(.handleInvalid) { try await system.redeem(handle, .verifier()) }
        await expectRefusal(.handleInvalid) { try await system.redeem(handle, asking.verifier) }
        _ = try await system.redeem(system.handle(asking, browser), asking.verifier)
    }

    @Test("A new handle replaces the earlier one", arguments: Engine.allCases)
    func replaced(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let browser = try await system.visit(asking)
        let lost = try await system.handle(asking, browser)
        let fresh = try await system.handle(asking, browser)
        await expectRefusal(.handleInvalid) { try await system.redeem(lost, asking.verifier) }
        _ = try await system.redeem(fresh, asking.verifier)
    }

    // MARK: Time

    @Test(
        "After ten minutes no sign-in begins, and a person who returns from Apple gets to the app with an error",
        arguments: Engine.allCases, [9, 0])
    func expiry(on engine: Engine, minutesBefore: Int) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        system.clock.advance(by: .seconds(minutesBefore * 60))
        let beginning = try await system.domain.authorizations.proceed(asking.id, browser: nil)
        system.clock.advance(by: .seconds((10 - minutesBefore) * 60))
        await expectRefusal(.authorizationExpired) { try await system.domain.authorizations.prompt(asking.id) }
        await expectRefusal(.authorizationExpired) {
            try await system.domain.authorizations.proceed(asking.id, browser: nil)
        }
        try await system.finish(asking.id, beginning)
        #expect(system.apple.count(of: "/auth/token") == 0)
        let ending = try await system.domain.authorizations.ending(asking.id, browser: beginning.browser)
        #expect(ending.failure == .expired)
        #expect(ending.next == .returnToApp(until: Timestamp(system.clock.now) + .seconds(120)))
        #expect(try await system.returnQuery(asking, beginning.browser)["error"] == "expired")
        await expectRefusal(.browserMismatch) { try await system.returnQuery(asking, nil) }
    }

    @Test("A handle lives a minute, the way back to the app two", arguments: Engine.allCases)
    func handleExpiry(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let browser = try await system.visit(asking)
        let handle = try await system.handle(asking, browser)
        system.clock.advance(by: .seconds(60))
        await expectRefusal(.handleInvalid) { try await system.redeem(handle, asking.verifier) }
        system.clock.advance(by: .seconds(59))
        let last = try await system.handle(asking, browser)
        system.clock.advance(by: .seconds(1))
        await expectRefusal(.authorizationExpired) { try await system.handle(asking, browser) }
        _ = try await system.redeem(last, asking.verifier)
    }

    @Test("One of our codes expires after five minutes", arguments: Engine.allCases)
    func codeExpiry(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        let credential = try await system.credential(nonce: nonce)
        system.clock.advance(by: .seconds(300))
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await system.domain.signIn.native(NativeSignIn(credential, nonce: nonce))
        }
    }

    @Test("One of our codes expires when its token is ten minutes old", arguments: Engine.allCases)
    func codeOfAnOldToken(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        let asking = try await system.ask(nonce: nonce.sha256)
        let beginning = try await system.domain.authorizations.proceed(asking.id, browser: nil)
        let form = try await system.decide(at: beginning.location)
        system.clock.advance(by: .seconds(280))
        _ = try await system.domain.callback.finish(AuthorizationResponse(form: form), browser: beginning.browser)
        system.clock.advance(by: .seconds(80))
        let credential = try await system.redeem(system.handle(asking, beginning.browser), asking.verifier)
        // Four minutes after the redemption, ten after Apple issued the token.
        system.clock.advance(by: .seconds(240))
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await system.domain.signIn.native(NativeSignIn(credential, nonce: nonce))
        }
    }

    // MARK: The attempt

    @Test(
        "An attempt whose purpose and authorization don't belong together begins no session",
        arguments: Engine.allCases,
        [
            (Attempt.Purpose.authorization, nil), (.signIn, AuthorizationID(rawValue: "aut_x")),
            (Attempt.Purpose(rawValue: "another"), nil),
        ])
    func mixedAttempt(on engine: Engine, mixed: (purpose: Attempt.Purpose, id: AuthorizationID?)) async throws {
        let system = try await TestSystem(engine)
        let (form, browser) = try await system.comeBack()
        let state = try #require(form.first { $0.name == "state" }?.value)
        var attempt = try #require(await system.store.takeAttempt(TokenHash(of: state)))
        attempt.purpose = mixed.purpose
        attempt.authorizationID = mixed.id
        try await system.store.insertAttempt(attempt)
        await expectRefusal(.attemptUnknown) {
            try await system.domain.callback.finish(AuthorizationResponse(form: form), browser: browser)
        }
        #expect(system.apple.count(of: "/auth/token") == 0)
    }

    @Test(
        "A verifier that RFC 7636 doesn't allow is refused, and the handle stays good",
        arguments: Engine.allCases,
        [
            "", String(repeating: "v", count: 42), String(repeating: "v", count: 129),
            "é" + String.nonce() + "+123456789",
        ])
    func badVerifier(on engine: Engine, verifier: String) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let handle = try await system.handle(asking, try await system.visit(asking))
        let redeeming = await expectRefusal(.requestInvalid) { try await system.redeem(handle, verifier) }
        #expect(redeeming?.field == "codeVerifier")
        let cancelling = await expectRefusal(.requestInvalid) {
            try await system.domain.authorizations.cancel(
                AuthorizationCancellation(.id(asking.id.rawValue), codeVerifier: verifier))
        }
        #expect(cancelling?.field == "codeVerifier")
        _ = try await system.redeem(handle, asking.verifier)
    }

    // MARK: The code of ours

    @Test("One of our codes is accepted once, even from fifty requests at once", arguments: Engine.allCases)
    func replay(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        let request = NativeSignIn(try await system.credential(nonce: nonce), nonce: nonce)
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? await system.domain.signIn.native(request)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(successes == 1)
        let error = await expectRefusal(.alreadyUsed) { try await system.domain.signIn.native(request) }
        #expect(error?.used == .code)
    }

    @Test("One of our codes is accepted only with its own token", arguments: Engine.allCases)
    func otherToken(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        let mine = try await system.credential(nonce: nonce)
        let theirs = try await system.credential(person: "zoe", nonce: nonce)
        var mixed = NativeSignIn(mine, nonce: nonce)
        mixed.identityToken = theirs.identityToken
        await expectRefusal(.identityMismatch) { try await system.domain.signIn.native(mixed) }
        _ = try await system.domain.signIn.native(NativeSignIn(mine, nonce: nonce))
    }

    @Test("If Apple was given a nonce, the matching raw nonce is required", arguments: Engine.allCases)
    func nonces(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        let credential = try await system.credential(nonce: nonce)
        await #expect(throws: AppleIDError(.nonceMissing, "")) {
            try await system.domain.signIn.native(NativeSignIn(credential, nonce: nil))
        }
        await #expect(throws: AppleIDError(.nonceMismatch, "")) {
            try await system.domain.signIn.native(NativeSignIn(credential, nonce: .nonce()))
        }
        _ = try await system.domain.signIn.native(NativeSignIn(credential, nonce: nonce))
    }

    @Test("The token of a Services ID is accepted only with its own code", arguments: Engine.allCases)
    func servicesID(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        var request = NativeSignIn(try await system.credential(nonce: nonce), nonce: nonce)
        for code in [nil, AuthorizationCode("apples.own")] {
            request.authorizationCode = code
            await #expect(throws: AppleIDError(.audienceMismatch, "")) {
                try await system.domain.signIn.native(request)
            }
        }
    }
}

extension NativeSignIn {
    /// The sign-in request of an app that has redeemed an authorization.
    init(_ credential: AuthorizationCredential, nonce: String?) {
        self.init(
            identityToken: credential.identityToken, authorizationCode: credential.authorizationCode, nonce: nonce)
    }
}
