import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("Single use")
struct SingleUseTests {
    @Test("An identity token is accepted once", arguments: Engine.allCases)
    func token(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let request = try await system.device()
        _ = try await system.domain.signIn.native(request)
        await expectUsed(.identityToken) { try await system.domain.signIn.native(request) }
    }

    @Test("A client's nonce is accepted once for its audience, whatever token has it", arguments: Engine.allCases)
    func nonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine, portal: .twoTeams)
        let nonce = String.nonce()
        _ = try await system.domain.signIn.native(system.device(nonce: nonce))
        await expectUsed(.nonce) { try await system.domain.signIn.native(system.device(nonce: nonce)) }
        _ = try await system.domain.signIn.native(system.device(client: "com.example.cider", nonce: nonce))
    }

    @Test("A challenge is accepted once, given to Apple as it is or hashed", arguments: Engine.allCases, [true, false])
    func challenge(on engine: Engine, isHashed: Bool) async throws {
        let system = try await TestSystem(engine)
        let nonce = try system.domain.challenges.make(for: .signIn, session: nil).nonce
        func request() async throws -> NativeSignIn {
            let answer = try await system.emulator.authorize(
                client: TestSystem.juice, nonce: isHashed ? nonce.sha256 : nonce, native: true)
            return NativeSignIn(
                identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce)
        }
        _ = try await system.domain.signIn.native(request())
        await expectUsed(.challenge) { try await system.domain.signIn.native(request()) }
    }

    @Test(
        "A used code beside a fresh token is refused: each token is bound to its own code", arguments: Engine.allCases)
    func code(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        var first = try await system.device()
        _ = try await system.domain.signIn.native(first)
        let second = try await system.device()
        first.identityToken = second.identityToken
        first.nonce = second.nonce
        await #expect(throws: AppleIDError(.codeHashMismatch, "")) { try await system.domain.signIn.native(first) }
    }

    @Test("One token presented by fifty at once signs in once", arguments: Engine.allCases, [true, false])
    func race(on engine: Engine, withCode: Bool) async throws {
        let system = try await TestSystem(engine)
        var request = try await system.device()
        if !withCode { request.authorizationCode = nil }
        let order = request
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? await system.domain.signIn.native(order)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(successes == 1)
    }

    @Test("Apple's answer to a browser is accepted once", arguments: Engine.allCases)
    func state(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let (form, browser) = try await system.comeBack()
        _ = try await system.finish(form, browser: browser)
        await #expect(throws: AccountError(.attemptUnknown, "")) {
            try await system.finish(form, browser: browser)
        }
    }

    @Test("Two tabs of one browser leave one session: the last", arguments: Engine.allCases)
    func tabs(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let (first, browser) = try await system.comeBack()
        let (second, _) = try await system.comeBack(browser: browser)
        let one = try await system.finish(first, browser: browser).sessionCookie
        let two = try await system.finish(second, browser: browser).sessionCookie
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await system.domain.sessions.authenticate(cookie: one)
        }
        _ = try await system.domain.sessions.authenticate(cookie: two)
    }

    @Test("A failed sign-in uses up nothing that the same request needs again", arguments: Engine.allCases)
    func retry(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let request = try await system.device()
        let refusing = try await system.domain(over: RefusingApple(inner: system.apple, error: "invalid_grant"))
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await refusing.signIn.native(request)
        }
        _ = try await system.domain.signIn.native(request)
    }

    private func expectUsed(
        _ kind: UsedCredential.Kind, _ body: () async throws -> TokenSignIn, location: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: AccountError(.alreadyUsed, ""), sourceLocation: location) { try await body() }
        #expect(error?.used == kind, sourceLocation: location)
    }
}
