import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("Rejected at sign-in")
struct RefusalTests {
    @Test("A token for the Services ID, presented by an app", arguments: Engine.allCases)
    func audience(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        let answer = try await system.emulator.authorize(client: TestSystem.juiceWeb, nonce: nonce.sha256)
        let request = NativeSignIn(
            identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce)
        await #expect(throws: AppleIDError(.audienceMismatch, "")) { try await system.domain.signIn.native(request) }
    }

    @Test("A client's nonce that was given to Apple unhashed", arguments: Engine.allCases)
    func rawNonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        let answer = try await system.emulator.authorize(client: TestSystem.juice, nonce: nonce, native: true)
        let request = NativeSignIn(
            identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce)
        await #expect(throws: AppleIDError(.nonceMismatch, "")) { try await system.domain.signIn.native(request) }
    }

    @Test("A token without a nonce", arguments: Engine.allCases)
    func noNonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let answer = try await system.emulator.authorize(client: TestSystem.juice, native: true)
        let request = NativeSignIn(identityToken: answer.identityToken, nonce: .nonce())
        await #expect(throws: AppleIDError(.nonceMissing, "")) { try await system.domain.signIn.native(request) }
    }

    @Test(
        "A nonce of another form",
        arguments: Engine.allCases,
        ["", "short", String(repeating: "x", count: 129), "twenty characters ü", "twenty characters \n x"])
    func nonceForm(on engine: Engine, nonce: String) async throws {
        let system = try await TestSystem(engine)
        var request = try await system.device()
        request.nonce = nonce
        await #expect(throws: AccountError(.nonceInvalid, "")) { try await system.domain.signIn.native(request) }
    }

    @Test("A challenge that is forged, expired, or for another purpose", arguments: Engine.allCases)
    func challenges(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = SessionID(rawValue: "ses_00000000000000000000000000")
        let other = try system.domain.challenges.make(for: .delete, session: session).nonce
        let old = try system.domain.challenges.make(for: .signIn, session: nil).nonce
        system.clock.advance(by: .seconds(600))
        for nonce in [other, old, "c1." + String(repeating: "A", count: 76)] {
            let request = try await system.device(nonce: nonce)
            await #expect(throws: AccountError(.challengeInvalid, "")) {
                try await system.domain.signIn.native(request)
            }
        }
    }

    @Test("A token that was issued more than ten minutes ago", arguments: Engine.allCases)
    func age(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let (young, old) = (try await system.device(), try await system.device())
        system.clock.advance(by: .seconds(300))
        _ = try await system.domain.signIn.native(young)
        system.clock.advance(by: .seconds(301))
        await #expect(throws: AccountError(.tokenTooOld, "")) { try await system.domain.signIn.native(old) }
    }

    @Test("A code that Apple does not redeem", arguments: Engine.allCases)
    func deadCode(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let request = try await system.device()
        system.clock.advance(by: .seconds(301))
        await #expect(throws: AppleIDError(.grantRejected, "")) { try await system.domain.signIn.native(request) }
    }

    @Test("An answer that another browser began, or a browser without its cookie", arguments: Engine.allCases)
    func browser(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let (form, _) = try await system.comeBack()
        let (_, other) = try await system.comeBack()
        await #expect(throws: AccountError(.browserMismatch, "")) {
            try await system.finish(form, browser: other)
        }
        let (second, _) = try await system.comeBack()
        await #expect(throws: AccountError(.browserMismatch, "")) {
            try await system.finish(second, browser: nil)
        }
    }

    @Test("An answer that comes after ten minutes", arguments: Engine.allCases)
    func late(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let (form, browser) = try await system.comeBack()
        system.clock.advance(by: .seconds(600))
        await #expect(throws: AccountError(.attemptExpired, "")) {
            try await system.finish(form, browser: browser)
        }
    }

    @Test("A code of one sign-in with the token of another", arguments: Engine.allCases)
    func mixed(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let (form, browser) = try await system.comeBack()
        let (foreign, _) = try await system.comeBack(person: "zoe")
        let mixed = form.map { field in
            field.name == "code" ? foreign.first { $0.name == "code" } ?? field : field
        }
        await #expect(throws: AppleIDError(.codeHashMismatch, "")) {
            try await system.finish(mixed, browser: browser)
        }
    }

    @Test("A stranger's identity token in place of the browser's own", arguments: Engine.allCases)
    func injected(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let (form, browser) = try await system.comeBack()
        let (foreign, _) = try await system.comeBack(person: "zoe")
        let mixed = form.map { field in
            field.name == "state" ? field : foreign.first { $0.name == field.name } ?? field
        }
        await #expect(throws: AppleIDError(.nonceMismatch, "")) {
            try await system.finish(mixed, browser: browser)
        }
    }

    @Test("A cancelled sign-in, which isn't a failure", arguments: Engine.allCases)
    func cancelled(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        await #expect(throws: AccountError(.cancelled, "")) { try await system.browse(cancels: true) }
    }
}
