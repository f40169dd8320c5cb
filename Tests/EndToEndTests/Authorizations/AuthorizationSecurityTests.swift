import AccountSQL
import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("Who gets what an authorization brings")
struct AuthorizationSecurityTests {
    @Test("What A begins and B's browser finishes never gives A anything")
    func tricked() async throws {
        let house = try await House()
        let asking = try await house.ask()
        // A goes to Apple's door too, to have a cookie of this service.
        let attacker = try await house.domain.authorizations.proceed(asking.id, browser: nil).browser
        let victim = try await house.visit(asking, person: "zoe")

        // All that A knows: the id, the verifier, a cookie of its own.
        let authorizations = house.domain.authorizations
        for guess in [asking.id.rawValue, asking.verifier, String.nonce()] {
            await expectRefusal(.handleInvalid) { try await house.redeem(guess, asking.verifier) }
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
        // Guessing has not spent what B's own browser brings to B's own machine.
        _ = try await house.handle(asking, victim)
    }

    @Test("Apple's answer in another browser is refused and ends nothing")
    func otherBrowser() async throws {
        let house = try await House()
        let asking = try await house.ask()
        let beginning = try await house.domain.authorizations.proceed(asking.id, browser: nil)
        let other = try await house.domain.authorizations.proceed(asking.id, browser: nil).browser
        let form = try await house.decide(at: beginning.location)
        await expectRefusal(.browserMismatch) {
            try await house.domain.signIn.finish(AuthorizationResponse(form: form), browser: other)
        }
        _ = try await house.domain.authorizations.prompt(asking.id)
    }

    @Test("A handle is good once")
    func once() async throws {
        let house = try await House()
        let asking = try await house.ask()
        let browser = try await house.visit(asking)
        let handle = try await house.handle(asking, browser)
        _ = try await house.redeem(handle, asking.verifier)
        await expectRefusal(.handleInvalid) { try await house.redeem(handle, asking.verifier) }
        await expectRefusal(.authorizationExpired) { try await house.handle(asking, browser) }
        let ending = try await house.domain.authorizations.ending(asking.id, browser: browser)
        #expect(ending.next == .over && ending.failure == nil)
    }

    @Test("A wrong verifier spends the handle; the page's next one is good")
    func wrongVerifier() async throws {
        let house = try await House()
        let asking = try await house.ask()
        let browser = try await house.visit(asking)
        let handle = try await house.handle(asking, browser)
        await expectRefusal(.handleInvalid) { try await house.redeem(handle, .verifier()) }
        await expectRefusal(.handleInvalid) { try await house.redeem(handle, asking.verifier) }
        _ = try await house.redeem(house.handle(asking, browser), asking.verifier)
    }

    @Test("A fresh handle ends the earlier one")
    func replaced() async throws {
        let house = try await House()
        let asking = try await house.ask()
        let browser = try await house.visit(asking)
        let lost = try await house.handle(asking, browser)
        let fresh = try await house.handle(asking, browser)
        await expectRefusal(.handleInvalid) { try await house.redeem(lost, asking.verifier) }
        _ = try await house.redeem(fresh, asking.verifier)
    }

    // MARK: Time

    @Test(
        "After ten minutes nothing is begun any more, and who comes back from Apple returns to the app with that",
        arguments: [9, 0])
    func expiry(minutesBefore: Int) async throws {
        let house = try await House()
        let asking = try await house.ask()
        house.clock.advance(by: .seconds(minutesBefore * 60))
        let beginning = try await house.domain.authorizations.proceed(asking.id, browser: nil)
        house.clock.advance(by: .seconds((10 - minutesBefore) * 60))
        await expectRefusal(.authorizationExpired) { try await house.domain.authorizations.prompt(asking.id) }
        await expectRefusal(.authorizationExpired) {
            try await house.domain.authorizations.proceed(asking.id, browser: nil)
        }
        try await house.finish(asking.id, beginning)
        #expect(house.apple.count(of: "/auth/token") == 0)
        let ending = try await house.domain.authorizations.ending(asking.id, browser: beginning.browser)
        #expect(ending.failure == .expired)
        #expect(ending.next == .returnToApp(until: Timestamp(house.clock.now) + .seconds(120)))
        #expect(try await house.returnQuery(asking, beginning.browser)["error"] == "expired")
        await expectRefusal(.browserMismatch) { try await house.returnQuery(asking, nil) }
    }

    @Test("A handle lives a minute, the way back to the app two")
    func handleExpiry() async throws {
        let house = try await House()
        let asking = try await house.ask()
        let browser = try await house.visit(asking)
        let handle = try await house.handle(asking, browser)
        house.clock.advance(by: .seconds(60))
        await expectRefusal(.handleInvalid) { try await house.redeem(handle, asking.verifier) }
        house.clock.advance(by: .seconds(59))
        let last = try await house.handle(asking, browser)
        house.clock.advance(by: .seconds(1))
        await expectRefusal(.authorizationExpired) { try await house.handle(asking, browser) }
        _ = try await house.redeem(last, asking.verifier)
    }

    @Test("A code of ours lives five minutes")
    func codeExpiry() async throws {
        let house = try await House()
        let nonce = String.nonce()
        let credential = try await house.credential(nonce: nonce)
        house.clock.advance(by: .seconds(300))
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await house.domain.signIn.native(NativeSignIn(credential, nonce: nonce))
        }
    }

    @Test("A code of ours is no good any more when its token is ten minutes old")
    func codeOfAnOldToken() async throws {
        let house = try await House()
        let nonce = String.nonce()
        let asking = try await house.ask(nonce: nonce.sha256)
        let beginning = try await house.domain.authorizations.proceed(asking.id, browser: nil)
        let form = try await house.decide(at: beginning.location)
        house.clock.advance(by: .seconds(280))
        _ = try await house.domain.signIn.finish(AuthorizationResponse(form: form), browser: beginning.browser)
        house.clock.advance(by: .seconds(80))
        let credential = try await house.redeem(house.handle(asking, beginning.browser), asking.verifier)
        // Four minutes after the redemption, ten after Apple issued the token.
        house.clock.advance(by: .seconds(240))
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await house.domain.signIn.native(NativeSignIn(credential, nonce: nonce))
        }
    }

    // MARK: The attempt

    @Test(
        "An attempt whose purpose and authorization do not belong together signs nobody in",
        arguments: [
            (Attempt.Purpose.authorization, nil), (.signIn, AuthorizationID(rawValue: "aut_x")),
            (Attempt.Purpose(rawValue: "another"), nil),
        ])
    func mixedAttempt(purpose: Attempt.Purpose, id: AuthorizationID?) async throws {
        let house = try await House()
        let (form, browser) = try await house.comeBack()
        let state = try #require(form.first { $0.name == "state" }?.value)
        var attempt = try #require(await house.store.takeAttempt(TokenHash(of: state)))
        attempt.purpose = purpose
        attempt.authorizationID = id
        try await house.store.insertAttempt(attempt)
        await expectRefusal(.attemptUnknown) {
            try await house.domain.signIn.finish(AuthorizationResponse(form: form), browser: browser)
        }
        #expect(house.apple.count(of: "/auth/token") == 0)
    }

    @Test(
        "A verifier that RFC 7636 does not know is refused and spends nothing",
        arguments: [
            "", String(repeating: "v", count: 42), String(repeating: "v", count: 129),
            "é" + String.nonce() + "+123456789",
        ])
    func badVerifier(verifier: String) async throws {
        let house = try await House()
        let asking = try await house.ask()
        let handle = try await house.handle(asking, try await house.visit(asking))
        let redeeming = await expectRefusal(.requestInvalid) { try await house.redeem(handle, verifier) }
        #expect(redeeming?.field == "codeVerifier")
        let cancelling = await expectRefusal(.requestInvalid) {
            try await house.domain.authorizations.cancel(
                AuthorizationCancellation(.id(asking.id), codeVerifier: verifier))
        }
        #expect(cancelling?.field == "codeVerifier")
        _ = try await house.redeem(handle, asking.verifier)
    }

    // MARK: The code of ours

    @Test("A code of ours is taken once, also by fifty at once")
    func replay() async throws {
        let house = try await House()
        let nonce = String.nonce()
        let request = NativeSignIn(try await house.credential(nonce: nonce), nonce: nonce)
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? await house.domain.signIn.native(request)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(successes == 1)
        let error = await expectRefusal(.alreadyUsed) { try await house.domain.signIn.native(request) }
        #expect(error?.spent == .code)
    }

    @Test("A code of ours goes with its own token only")
    func otherToken() async throws {
        let house = try await House()
        let nonce = String.nonce()
        let mine = try await house.credential(nonce: nonce)
        let theirs = try await house.credential(person: "zoe", nonce: nonce)
        var mixed = NativeSignIn(mine, nonce: nonce)
        mixed.identityToken = theirs.identityToken
        await expectRefusal(.identityMismatch) { try await house.domain.signIn.native(mixed) }
        _ = try await house.domain.signIn.native(NativeSignIn(mine, nonce: nonce))
    }

    @Test("The raw nonce must come along where Apple was given one, and fit")
    func nonces() async throws {
        let house = try await House()
        let nonce = String.nonce()
        let credential = try await house.credential(nonce: nonce)
        await #expect(throws: AppleIDError(.nonceMissing, "")) {
            try await house.domain.signIn.native(NativeSignIn(credential, nonce: nil))
        }
        await #expect(throws: AppleIDError(.nonceMismatch, "")) {
            try await house.domain.signIn.native(NativeSignIn(credential, nonce: .nonce()))
        }
        _ = try await house.domain.signIn.native(NativeSignIn(credential, nonce: nonce))
    }

    @Test("The token of a Services ID is taken with its own code only")
    func servicesID() async throws {
        let house = try await House()
        let nonce = String.nonce()
        var request = NativeSignIn(try await house.credential(nonce: nonce), nonce: nonce)
        for code in [nil, AuthorizationCode("apples.own")] {
            request.authorizationCode = code
            await #expect(throws: AppleIDError(.audienceMismatch, "")) {
                try await house.domain.signIn.native(request)
            }
        }
    }
}

extension NativeSignIn {
    /// What an app presents that has redeemed an authorization.
    init(_ credential: AuthorizationCredential, nonce: String?) {
        self.init(
            identityToken: credential.identityToken, authorizationCode: credential.authorizationCode, nonce: nonce)
    }
}
