import AccountSQL
import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("A sign-in with a code alone")
struct CodeOnlyTests {
    /// A code that Apple gave an app on a device.
    private func code(_ house: House, nonce: String?) async throws -> AuthorizationCode {
        let answer = try await house.emulator.authorize(client: House.juice, nonce: nonce, native: true)
        return try #require(answer.code)
    }

    private func request(_ code: AuthorizationCode?, nonce: String?, client: ClientID? = House.juice) -> NativeSignIn {
        NativeSignIn(identityToken: nil, authorizationCode: code, nonce: nonce, clientID: client)
    }

    @Test(
        "is proven by the nonce of the token that Apple returns; the name may stand beside it",
        arguments: Engine.allCases)
    func withNonce(on engine: Engine) async throws {
        let house = try await House(engine)
        let nonce = String.nonce()
        var request = try await request(code(house, nonce: nonce.sha256), nonce: nonce)
        request.name = PersonName(givenName: "Jonathan")
        let done = try await house.domain.signIn.native(request)
        #expect(done.account.name?.givenName == "Jonathan")
        let session = try await house.session(of: done)
        #expect(session.hasNonceProof && session.clientID == House.juice)
        #expect(try await house.store.appleTokens(of: session.identityID).count == 1)
    }

    @Test("needs the raw nonce where that token carries one, and the right one", arguments: Engine.allCases)
    func wrongNonce(on engine: Engine) async throws {
        let house = try await House(engine)
        for (raw, expected) in [(nil, AppleIDError.Code.nonceMissing), (String.nonce(), .nonceMismatch)] {
            let request = try await request(code(house, nonce: String.nonce().sha256), nonce: raw)
            await #expect(throws: AppleIDError(expected, "")) { try await house.domain.signIn.native(request) }
        }
        // A raw nonce of its own is no challenge of ours, so Apple must have got its hash.
        let verbatim = String.nonce()
        let request = try await request(code(house, nonce: verbatim), nonce: verbatim)
        await #expect(throws: AppleIDError(.nonceMismatch, "")) { try await house.domain.signIn.native(request) }
    }

    @Test("takes a challenge of ours, given to Apple as it is or hashed", arguments: Engine.allCases, [true, false])
    func challenge(on engine: Engine, isHashed: Bool) async throws {
        let house = try await House(engine)
        let nonce = try house.domain.challenges.make(for: .signIn, session: nil).nonce
        let request = try await request(code(house, nonce: isHashed ? nonce.sha256 : nonce), nonce: nonce)
        let done = try await house.domain.signIn.native(request)
        #expect(try await house.session(of: done).hasNonceProof)
    }

    @Test("without any nonce makes a session that says so", arguments: Engine.allCases)
    func withoutNonce(on engine: Engine) async throws {
        let house = try await House(engine)
        let done = try await house.domain.signIn.native(request(code(house, nonce: nil), nonce: nil))
        #expect(try await house.session(of: done).hasNonceProof == false)
    }

    @Test(
        "needs the client that obtained the code, one of the configured ones", arguments: Engine.allCases,
        [nil, "com.evil.app"])
    func client(on engine: Engine, id: String?) async throws {
        let house = try await House(engine)
        let request = try await request(code(house, nonce: nil), nonce: nil, client: id.map { ClientID($0) })
        let error = await expectRefusal(.requestInvalid) { try await house.domain.signIn.native(request) }
        #expect(error?.field == "clientID")
        #expect(house.apple.count(of: "/auth/token") == 0)
    }

    @Test("is not taken for a Services ID, whose code came by a browser", arguments: Engine.allCases)
    func servicesID(on engine: Engine) async throws {
        let house = try await House(engine)
        let asking = try await house.ask()
        let beginning = try await house.domain.authorizations.proceed(asking.id, browser: nil)
        let form = try await house.decide(at: beginning.location)
        let code = AuthorizationCode(try #require(form.first { $0.name == "code" }?.value))
        let request = request(code, nonce: nil, client: House.juiceWeb)
        let error = await expectRefusal(.requestInvalid) { try await house.domain.signIn.native(request) }
        #expect(error?.field == "clientID")
        #expect(house.apple.count(of: "/auth/token") == 0)
    }

    @Test(
        "is printable ASCII of at most 1,024 bytes, with a token too",
        arguments: Engine.allCases, ["", String(repeating: "c", count: 1_025), "a\nb", "café", "siwa_c1.\u{0}"])
    func form(on engine: Engine, code: String) async throws {
        let house = try await House(engine)
        var withToken = try await house.device()
        withToken.authorizationCode = AuthorizationCode(code)
        for request in [withToken, request(AuthorizationCode(code), nonce: "short", client: nil)] {
            let error = await expectRefusal(.requestInvalid) { try await house.domain.signIn.native(request) }
            #expect(error?.field == "authorizationCode")
        }
        let longest = request(AuthorizationCode(String(repeating: "c", count: 1_024)), nonce: nil)
        await #expect(throws: AppleIDError(.grantRejected, "")) { try await house.domain.signIn.native(longest) }
    }

    @Test("is refused the second time before Apple is asked", arguments: Engine.allCases)
    func replay(on engine: Engine) async throws {
        let house = try await House(engine)
        let request = try await request(code(house, nonce: nil), nonce: nil)
        _ = try await house.domain.signIn.native(request)
        let error = await expectRefusal(.alreadyUsed) { try await house.domain.signIn.native(request) }
        #expect(error?.spent == .code)
        #expect(house.apple.count(of: "/auth/token") == 1)
    }

    @Test("of ours needs a client of its own app", arguments: Engine.allCases, [House.juice, House.juiceWeb])
    func ours(on engine: Engine, client: ClientID) async throws {
        let house = try await House(engine, portal: .twoTeams)
        let nonce = String.nonce()
        let credential = try await house.credential(nonce: nonce, firstName: "Jonathan")
        let code = credential.authorizationCode
        for wrong in [nil, "com.example.cider"] as [ClientID?] {
            let request = request(code, nonce: nonce, client: wrong)
            let error = await expectRefusal(.requestInvalid) { try await house.domain.signIn.native(request) }
            #expect(error?.field == "clientID")
        }
        let done = try await house.domain.signIn.native(request(code, nonce: nonce, client: client))
        #expect(done.account.name?.formatted == "Jonathan Appleseed")
        #expect(house.apple.count(of: "/auth/token") == 1)
    }

    @Test("is needed where there is no token", arguments: Engine.allCases)
    func nothing(on engine: Engine) async throws {
        let house = try await House(engine)
        let error = await expectRefusal(.requestInvalid) {
            try await house.domain.signIn.native(request(nil, nonce: .nonce()))
        }
        #expect(error?.field == "identityToken")
    }
}
