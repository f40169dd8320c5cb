import AccountService
import AppleID
import AppleIDTesting
import Testing

@Suite("An authorization with a device code")
struct DeviceAuthorizationTests {
    @Test(
        "is pending until a person has allowed it and consented at Apple, and is answered once",
        arguments: Engine.allCases)
    func wholeWay(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        let device = try await system.wait(nonce: nonce.sha256)
        await expectRefusal(.authorizationPending) { try await system.poll(device) }
        let browser = try await system.allow(device)
        let credential = try await system.poll(device)
        await expectRefusal(.handleInvalid) { try await system.poll(device) }
        let done = try await system.domain.signIn.native(NativeSignIn(credential, nonce: nonce))
        #expect(done.isNewAccount)
        _ = browser
    }

    @Test("shows the person what is about to be allowed, however the code is typed", arguments: Engine.allCases)
    func prompt(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait()
        #expect(device.userCode.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
        system.clock.advance(by: .seconds(30))
        for typed in [device.userCode, device.userCode.lowercased().replacing("-", with: ""), device.userCode + " "] {
            let prompt = try await system.domain.authorizations.prompt(userCode: typed, from: "192.0.2.9")
            #expect(prompt.appName == "Juice" && prompt.address == "192.0.2.1")
            #expect(Timestamp(system.clock.now) - prompt.beganAt == .seconds(30))
        }
    }

    @Test("slows a device down that asks too often, by five seconds each time", arguments: Engine.allCases)
    func slowDown(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait()
        await expectRefusal(.authorizationPending) { try await system.poll(device) }
        system.clock.advance(by: .seconds(4))
        await expectRefusal(.slowDown) { try await system.poll(device) }
        system.clock.advance(by: .seconds(9))
        await expectRefusal(.slowDown) { try await system.poll(device) }
        system.clock.advance(by: .seconds(15))
        await expectRefusal(.authorizationPending) { try await system.poll(device) }
    }

    @Test(
        "is denied when the person does not know the device, or cancels at Apple", arguments: Engine.allCases,
        [true, false])
    func denied(on engine: Engine, atApple: Bool) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait()
        if atApple {
            _ = try await system.allow(device, cancels: true)
        } else {
            try await system.domain.authorizations.deny(userCode: device.userCode, from: "192.0.2.9")
        }
        await expectRefusal(.authorizationDenied) { try await system.poll(device) }
        await expectRefusal(.authorizationExpired) {
            try await system.domain.authorizations.prompt(userCode: device.userCode, from: "192.0.2.9")
        }
    }

    @Test("is used up by a wrong verifier", arguments: Engine.allCases, [true, false])
    func wrongVerifier(on engine: Engine, isFinished: Bool) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait()
        if isFinished {
            _ = try await system.allow(device)
        }
        await expectRefusal(.handleInvalid) { try await system.poll(device, verifier: .verifier()) }
        await expectRefusal(.handleInvalid) { try await system.poll(device) }
        if !isFinished {
            await expectRefusal(.authorizationExpired) { try await system.allow(device) }
        }
    }

    @Test("belongs to the browser that allowed it, which may begin again", arguments: Engine.allCases)
    func oneBrowser(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait()
        let authorizations = system.domain.authorizations
        let first = try await authorizations.allow(userCode: device.userCode, from: "192.0.2.9", browser: nil)
        await expectRefusal(.authorizationUnknown) {
            try await authorizations.allow(userCode: device.userCode, from: "192.0.2.8", browser: nil)
        }
        let again = try await authorizations.allow(
            userCode: device.userCode, from: "192.0.2.9", browser: first.browser)
        #expect(again.browser == first.browser)
        try await system.finish(nil, again)
        _ = try await system.poll(device)
    }

    @Test("ends after ten minutes, for the person and for the device", arguments: Engine.allCases)
    func expiry(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait()
        let finished = try await system.wait()
        _ = try await system.allow(finished)
        system.clock.advance(by: .seconds(600))
        await expectRefusal(.authorizationExpired) { try await system.poll(device) }
        await expectRefusal(.authorizationExpired) { try await system.poll(finished) }
        await expectRefusal(.authorizationExpired) { try await system.allow(device) }
    }

    @Test("ends when its app cancels it", arguments: Engine.allCases)
    func withdrawn(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait()
        try await system.domain.authorizations.cancel(
            AuthorizationCancellation(.deviceCode(device.deviceCode), codeVerifier: device.verifier))
        await expectRefusal(.authorizationExpired) { try await system.poll(device) }
        // An unknown authorization is cancelled without an error.
        try await system.domain.authorizations.cancel(
            AuthorizationCancellation(.deviceCode("another"), codeVerifier: device.verifier))
    }
}
