import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

/// How an app's authorization leads to no sign-in.
enum DeadEnd: CaseIterable, Sendable {
    /// The app gives up while Apple is asked, or after it.
    case withdrawnMeanwhile, withdrawn
    /// Its time is over when Apple has answered.
    case expired
    /// The app never asks again.
    case abandoned
}

@Suite("Apple's token of an authorization that leads to no sign-in", .timeLimit(.minutes(2)))
struct UnusedAuthorizationTests {
    @Test("is held for the person's account", arguments: Engine.allCases, DeadEnd.allCases)
    func known(on engine: Engine, _ deadEnd: DeadEnd) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedIn()
        try await system.authorize(for: deadEnd)
        let held = try await system.store.appleTokens(of: session.session.identityID)
        #expect(Set(held.map(\.clientID)) == [TestSystem.juice, TestSystem.juiceWeb])
        try await system.waits()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.isFirstAtApple() == false)
        let back = try await system.signedIn()
        _ = try await system.domain.deletions.delete(accountOf: back)
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 2)
    }

    @Test(
        "is revoked after it can't be used any more, if the person has no account", arguments: Engine.allCases,
        DeadEnd.allCases)
    func nobody(on engine: Engine, _ deadEnd: DeadEnd) async throws {
        let system = try await TestSystem(engine)
        try await system.authorize(for: deadEnd)
        system.clock.advance(by: .seconds(540))
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        try await system.waits()
        #expect(system.apple.count(of: "/auth/revoke") == 1)
        #expect(try await system.isFirstAtApple())
    }

    @Test("belongs to the person again if they sign in later", arguments: Engine.allCases, DeadEnd.allCases)
    func triesAgain(on engine: Engine, _ deadEnd: DeadEnd) async throws {
        let system = try await TestSystem(engine)
        try await system.authorize(for: deadEnd)
        system.clock.advance(by: .seconds(60))
        let session = try await system.signedIn()
        try await system.waits()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        let held = try await system.store.appleTokens(of: session.session.identityID)
        #expect(Set(held.map(\.clientID)) == [TestSystem.juice, TestSystem.juiceWeb])
    }

    @Test("is revoked once with the account that was opened by it", arguments: Engine.allCases)
    func deletion(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        for _ in 0..<2 {
            let nonce = String.nonce()
            let credential = try await system.credential(nonce: nonce)
            let done = try await system.domain.signIn.native(
                NativeSignIn(
                    identityToken: credential.identityToken, authorizationCode: credential.authorizationCode,
                    nonce: nonce))
            let session = try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
            let order = try await system.domain.revocations.revoke(RevocationRequest(), in: session, from: .unknown)
            #expect(order.count == 1)
            _ = try await system.domain.deletions.delete(accountOf: session)
            let before = system.apple.count(of: "/auth/revoke")
            try await system.waits()
            #expect(system.apple.count(of: "/auth/revoke") == before + 1)
        }
    }
}

extension TestSystem {
    /// Asks, goes to Apple and back, and never signs in.
    fileprivate func authorize(for deadEnd: DeadEnd) async throws {
        let asking = try await ask()
        let beginning = try await domain.authorizations.proceed(asking.id, browser: nil)
        let form = try await decide(at: beginning.location)
        let slow = SlowApple(apple, at: "/auth/token", arriving: .before)
        let finishing = try await domain(over: slow)
        async let ending = finishing.callback.finish(
            try AuthorizationResponse(form: form), browser: beginning.browser)
        await slow.holdsOne()
        let cancellation = AuthorizationCancellation(.id(asking.id.rawValue), codeVerifier: asking.verifier)
        if deadEnd == .withdrawnMeanwhile { try await domain.authorizations.cancel(cancellation) }
        if deadEnd == .expired { clock.advance(by: .seconds(600)) }
        slow.letGo()
        _ = try await ending
        if deadEnd == .withdrawn { try await domain.authorizations.cancel(cancellation) }
    }

    /// Until every rest of the outbox is over.
    fileprivate func waits() async throws {
        for _ in 0..<4 {
            clock.advance(by: .seconds(600))
            try await domain.outbox.drain()
        }
    }
}
