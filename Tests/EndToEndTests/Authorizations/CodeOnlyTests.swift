import AccountDatabase
import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("A sign-in with a code alone")
struct CodeOnlyTests {
    /// A code that Apple gave an app on a device.
    private func code(_ system: TestSystem, nonce: String?) async throws -> AuthorizationCode {
        let answer = try await system.emulator.authorize(client: TestSystem.juice, nonce: nonce, native: true)
        return try #require(answer.code)
    }

    private func request(_ code: AuthorizationCode?, nonce: String?, client: ClientID? = TestSystem.juice)
        -> NativeSignIn
    {
        NativeSignIn(identityToken: nil, authorizationCode: code, nonce: nonce, clientID: client)
    }

    @Test(
        "is proven by the nonce in the token that Apple returns, and may come with a name",
        arguments: Engine.allCases)
    func withNonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        var request = try await request(code(system, nonce: nonce.sha256), nonce: nonce)
        request.name = PersonName(givenName: "Jonathan")
        let done = try await system.domain.signIn.native(request)
        #expect(done.account.name?.givenName == "Jonathan")
        let session = try await system.session(of: done)
        #expect(session.hasNonceProof && session.clientID == TestSystem.juice)
        #expect(try await system.store.appleTokens(of: session.identityID).count == 1)
    }

    @Test("needs the raw nonce if that token has one, and the right one", arguments: Engine.allCases)
    func wrongNonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        for (raw, expected) in [(nil, AppleIDError.Code.nonceMissing), (String.nonce(), .nonceMismatch)] {
            let request = try await request(code(system, nonce: String.nonce().sha256), nonce: raw)
            await #expect(throws: AppleIDError(expected, "")) { try await system.domain.signIn.native(request) }
        }
        // A raw nonce of its own is no challenge of ours, so Apple must have got its hash.
        let verbatim = String.nonce()
        let request = try await request(code(system, nonce: verbatim), nonce: verbatim)
        await #expect(throws: AppleIDError(.nonceMismatch, "")) { try await system.domain.signIn.native(request) }
    }

    @Test("accepts a challenge of ours, given to Apple as it is or hashed", arguments: Engine.allCases, [true, false])
    func challenge(on engine: Engine, isHashed: Bool) async throws {
        let system = try await TestSystem(engine)
        let nonce = try system.domain.challenges.make(for: .signIn, session: nil).nonce
        let request = try await request(code(system, nonce: isHashed ? nonce.sha256 : nonce), nonce: nonce)
        let done = try await system.domain.signIn.native(request)
        #expect(try await system.session(of: done).hasNonceProof)
    }

    @Test("without any nonce makes a session that says so", arguments: Engine.allCases)
    func withoutNonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let done = try await system.domain.signIn.native(request(code(system, nonce: nil), nonce: nil))
        #expect(try await system.session(of: done).hasNonceProof == false)
    }

    @Test(
        "needs the client that obtained the code, one of the configured ones", arguments: Engine.allCases,
        [nil, "com.evil.app"])
    func client(on engine: Engine, id: String?) async throws {
        let system = try await TestSystem(engine)
        let request = try await request(code(system, nonce: nil), nonce: nil, client: id.map { ClientID($0) })
        let error = await expectRefusal(.requestInvalid) { try await system.domain.signIn.native(request) }
        #expect(error?.field == "clientID")
        #expect(system.apple.count(of: "/auth/token") == 0)
    }

    @Test("is refused for a Services ID, whose code came by a browser", arguments: Engine.allCases)
    func servicesID(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let beginning = try await system.domain.authorizations.proceed(asking.id, browser: nil)
        let form = try await system.decide(at: beginning.location)
        let code = AuthorizationCode(try #require(form.first { $0.name == "code" }?.value))
        let request = request(code, nonce: nil, client: TestSystem.juiceWeb)
        let error = await expectRefusal(.requestInvalid) { try await system.domain.signIn.native(request) }
        #expect(error?.field == "clientID")
        #expect(system.apple.count(of: "/auth/token") == 0)
    }

    @Test(
        "needs a code of printable ASCII and at most 1,024 bytes, with a token too",
        arguments: Engine.allCases, ["", String(repeating: "c", count: 1_025), "a\nb", "café", "siwa_c1.\u{0}"])
    func form(on engine: Engine, code: String) async throws {
        let system = try await TestSystem(engine)
        var withToken = try await system.device()
        withToken.authorizationCode = AuthorizationCode(code)
        for request in [withToken, request(AuthorizationCode(code), nonce: "short", client: nil)] {
            let error = await expectRefusal(.requestInvalid) { try await system.domain.signIn.native(request) }
            #expect(error?.field == "authorizationCode")
        }
        let longest = request(AuthorizationCode(String(repeating: "c", count: 1_024)), nonce: nil)
        await #expect(throws: AppleIDError(.grantRejected, "")) { try await system.domain.signIn.native(longest) }
    }

    @Test("is refused the second time before Apple is asked", arguments: Engine.allCases)
    func replay(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let request = try await request(code(system, nonce: nil), nonce: nil)
        _ = try await system.domain.signIn.native(request)
        let error = await expectRefusal(.alreadyUsed) { try await system.domain.signIn.native(request) }
        #expect(error?.used == .code)
        #expect(system.apple.count(of: "/auth/token") == 1)
    }

    @Test("of ours needs a client of its own app", arguments: Engine.allCases, [TestSystem.juice, TestSystem.juiceWeb])
    func ours(on engine: Engine, client: ClientID) async throws {
        let system = try await TestSystem(engine, portal: .twoTeams)
        let nonce = String.nonce()
        let credential = try await system.credential(nonce: nonce, firstName: "Jonathan")
        let code = credential.authorizationCode
        for wrong in [nil, "com.example.cider"] as [ClientID?] {
            let request = request(code, nonce: nonce, client: wrong)
            let error = await expectRefusal(.requestInvalid) { try await system.domain.signIn.native(request) }
            #expect(error?.field == "clientID")
        }
        let done = try await system.domain.signIn.native(request(code, nonce: nonce, client: client))
        #expect(done.account.name?.formatted == "Jonathan Appleseed")
        #expect(system.apple.count(of: "/auth/token") == 1)
    }

    @Test("needs a code if there is no token", arguments: Engine.allCases)
    func nothing(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let error = await expectRefusal(.requestInvalid) {
            try await system.domain.signIn.native(request(nil, nonce: .nonce()))
        }
        #expect(error?.field == "identityToken")
    }
}
