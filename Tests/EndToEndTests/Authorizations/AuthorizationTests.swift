import AccountDatabase
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import Logging
import Testing

@Suite("An app's authorization in a browser")
struct AuthorizationTests {
    @Test("brings name and address at the first consent and never again", arguments: Engine.allCases)
    func firstAndLater(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let first = try await system.credential(firstName: "Jonathan", state: "the app's {own}")
        #expect(first.name?.formatted == "Jonathan Appleseed")
        #expect(first.email != nil)
        #expect(first.scope == "name email" && first.state == "the app's {own}")
        let later = try await system.credential()
        #expect(later.user == first.user)
        #expect(later.name == nil && later.email == nil && later.state == nil)
    }

    @Test("leads to a session, the name and Apple's token, by a code of ours", arguments: Engine.allCases)
    func session(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        let credential = try await system.credential(nonce: nonce, firstName: "Jonathan")
        let code = try #require(credential.authorizationCode)
        #expect(code.rawValue.hasPrefix("siwa_c1.") && code.rawValue.utf8.count == 51)
        let done = try await system.domain.signIn.native(
            NativeSignIn(identityToken: credential.identityToken, authorizationCode: code, nonce: nonce))
        #expect(done.isNewAccount)
        #expect(done.account.name?.formatted == "Jonathan Appleseed")
        #expect(system.apple.count(of: "/auth/token") == 1)
        let session = try await system.session(of: done)
        #expect(session.hasNonceProof && session.clientID == TestSystem.juiceWeb)
        let tokens = try await system.store.appleTokens(of: session.identityID)
        #expect(tokens.map(\.clientID) == [TestSystem.juiceWeb])
        // It is the person of the app on a device.
        #expect(try await system.domain.signIn.native(system.device()).account.id == done.account.id)
    }

    @Test("makes no account and no session by itself", arguments: Engine.allCases)
    func nothingElse(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        _ = try await system.credential(firstName: "Jonathan")
        let done = try await system.domain.signIn.native(system.device(name: nil))
        #expect(done.isNewAccount)
        // The name that Apple sent once is still there.
        #expect(done.account.name?.givenName == "Jonathan")
    }

    @Test("gives Apple the app's scopes in their order, and its nonce unchanged", arguments: Engine.allCases)
    func whatAppleIsAsked(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask(scope: "email name", nonce: "as the app likes it")
        let location = try await system.domain.authorizations.proceed(asking.id, browser: nil).location
        let query = try #require(URLComponents(string: location)?.queryItems)
        #expect(query.contains(URLQueryItem(name: "scope", value: "email name")))
        #expect(query.contains(URLQueryItem(name: "nonce", value: "as the app likes it")))
        let other = try await system.ask(scope: "")
        let bare = try await system.domain.authorizations.proceed(other.id, browser: nil).location
        #expect(!bare.contains("scope=") && !bare.contains("nonce="))
    }

    @Test("without a nonce signs in, and the session says that no nonce proved it", arguments: Engine.allCases)
    func withoutNonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let credential = try await system.credential()
        let done = try await system.domain.signIn.native(
            NativeSignIn(
                identityToken: credential.identityToken, authorizationCode: credential.authorizationCode, nonce: nil))
        #expect(try await system.session(of: done).hasNonceProof == false)
    }

    @Test("without a nonce refuses an answer of Apple's that has one", arguments: Engine.allCases)
    func foreignNonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        var beginning = try await system.domain.authorizations.proceed(asking.id, browser: nil)
        beginning.location += "&nonce=somebody%20else%27s"
        try await system.finish(asking.id, beginning)
        #expect(try await system.returnQuery(asking, beginning.browser)["error"] == "nonce_mismatch")
    }

    @Test(
        "hands Apple's own code to an app that is set up for it, and doesn't redeem it", arguments: Engine.allCases
    )
    func handThrough(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let credential = try await system.credential("press")
        #expect(system.apple.count(of: "/auth/token") == 0)
        let clients = try system.emulator.portal.teams.flatMap { try system.emulator.clients(of: $0.id) }
        let backend = AppleIDClient(
            server: try .emulator(at: TestSystem.emulatorURL), clients: clients, transport: system.apple,
            environment: system.clock.appleIDEnvironment,
            logger: Logger(label: "backend") { _ in SwiftLogNoOpLogHandler() })
        let grant = try await backend.exchange(
            code: try #require(credential.authorizationCode), client: TestSystem.juiceWeb,
            nonce: .noneSent, redirectURI: TestSystem.publicURL + SignIn.callbackPath)
        #expect(grant.identity.subject == credential.user)
    }

    @Test(
        "returns to the app's target byte for byte, with its query and before an intent's fragment",
        arguments: Engine.allCases)
    func targets(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        var locations: [String] = []
        for target in TestSystem.targets {
            let asking = try await system.ask(redirectURI: target)
            let browser = try await system.visit(asking)
            locations.append(try await system.domain.authorizations.returnLocation(asking.id, browser: browser))
        }
        #expect(locations[0].hasPrefix("https://juice.example.com/back?from=siwa&handle="))
        #expect(locations[1].hasPrefix("com.example.juice:/back?handle="))
        #expect(locations[2].hasPrefix("intent://back?handle="))
        #expect(locations[2].hasSuffix("#Intent;scheme=juice;package=com.example.juice;end"))
    }

    @Test(
        "refuses an unknown app, a return target that isn't the app's, and invalid values", arguments: Engine.allCases)
    func refusals(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        for target in ["http://localhost:49152/back", "https://juice.example.com/back", "http://127.0.0.1.evil/"] {
            await expectRefusal(.returnTargetMismatch) { try await system.ask(redirectURI: target) }
        }
        await expectRefusal(.appUnknown) { try await system.ask("cider") }
        let scope = await expectRefusal(.requestInvalid) { try await system.ask(scope: "name phone") }
        #expect(scope?.field == "scope")
        let nonce = await expectRefusal(.requestInvalid) {
            try await system.ask(nonce: String(repeating: "n", count: 129))
        }
        #expect(nonce?.field == "nonce")
        let state = await expectRefusal(.requestInvalid) { try await system.ask(state: "a\nb") }
        #expect(state?.field == "state")
    }

    // MARK: What comes to nothing

    @Test("that is cancelled at Apple tells the app so", arguments: Engine.allCases)
    func cancelled(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let browser = try await system.visit(asking, cancels: true)
        let ending = try await system.domain.authorizations.ending(asking.id, browser: browser)
        #expect(ending.failure == .cancelled)
        #expect(try await system.returnQuery(asking, browser)["error"] == "cancelled")
    }

    @Test(
        "that fails because Apple's token endpoint is down tells the app so, and loses no name",
        arguments: Engine.allCases)
    func appleDown(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        system.apple.fail("/auth/token", with: .unreachable)
        let asking = try await system.ask()
        let browser = try await system.visit(asking, firstName: "Jonathan")
        #expect(try await system.returnQuery(asking, browser)["error"] == "apple_unavailable")
        system.apple.fail("/auth/token", with: nil)

        let nonce = String.nonce()
        let later = try await system.credential(nonce: nonce)
        #expect(later.name == nil)
        let done = try await system.domain.signIn.native(
            NativeSignIn(
                identityToken: later.identityToken, authorizationCode: later.authorizationCode, nonce: nonce))
        #expect(done.account.name?.formatted == "Jonathan Appleseed")
    }

    @Test("that the app cancels can't be finished, and Apple's code isn't redeemed", arguments: Engine.allCases)
    func withdrawn(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let beginning = try await system.domain.authorizations.proceed(asking.id, browser: nil)
        // The id alone, which the browser knows too, cancels nothing.
        try await system.domain.authorizations.cancel(
            AuthorizationCancellation(.id(asking.id.rawValue), codeVerifier: .verifier()))
        _ = try await system.domain.authorizations.prompt(asking.id)
        try await system.domain.authorizations.cancel(
            AuthorizationCancellation(.id(asking.id.rawValue), codeVerifier: asking.verifier))
        await expectRefusal(.authorizationExpired) { try await system.domain.authorizations.prompt(asking.id) }

        try await system.finish(asking.id, beginning)
        #expect(system.apple.count(of: "/auth/token") == 0)
        let ending = try await system.domain.authorizations.ending(asking.id, browser: beginning.browser)
        #expect(ending.next == .withdrawn)
        await expectRefusal(.authorizationExpired) { try await system.handle(asking, beginning.browser) }
    }

    @Test(
        "that the app cancels after the finish can't return, and its credential is deleted", arguments: Engine.allCases)
    func withdrawnLate(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask()
        let browser = try await system.visit(asking)
        let handle = try await system.handle(asking, browser)
        try await system.domain.authorizations.cancel(
            AuthorizationCancellation(.id(asking.id.rawValue), codeVerifier: asking.verifier))
        let ending = try await system.domain.authorizations.ending(asking.id, browser: browser)
        #expect(ending.next == .withdrawn && ending.failure == .withdrawn)
        await expectRefusal(.authorizationExpired) { try await system.handle(asking, browser) }
        await expectRefusal(.handleInvalid) { try await system.redeem(handle, asking.verifier) }
        #expect(try await system.store.authorization(asking.id)?.end == .failed(.withdrawn))
    }
}
