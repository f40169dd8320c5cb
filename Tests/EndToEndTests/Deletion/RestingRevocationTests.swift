import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

/// An Apple that, while it redeems a code, has the time to hear of every revocation that is due.
private struct DrainingApple: AppleTransport {
    let system: TestSystem

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        if request.url.hasSuffix("/auth/token") { try await system.domain.outbox.drain() }
        return try await system.apple.send(request)
    }
}

@Suite("A revocation that waits while its person returns")
struct RestingRevocationTests {
    private func revocations(_ system: TestSystem) -> Int { system.apple.count(of: "/auth/revoke") }

    private func signIn(_ system: TestSystem) async throws -> StoredSession {
        let done = try await system.domain.signIn.native(system.device())
        return try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
    }

    @Test(
        "rests while an app's authorization is redeemed, and until the app has signed in with it",
        arguments: Engine.allCases)
    func authorization(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let receipt = try await system.domain.deletions.delete(accountOf: signIn(system))
        let nonce = String.nonce()
        let asking = try await system.ask(nonce: nonce.sha256)
        let beginning = try await system.domain.authorizations.proceed(asking.id, browser: nil)
        let form = try await system.decide(at: beginning.location)
        let slow = try await system.domain(over: DrainingApple(system: system))
        _ = try await slow.callback.finish(AuthorizationResponse(form: form), browser: beginning.browser)
        #expect(revocations(system) == 0)

        let credential = try await system.redeem(system.handle(asking, beginning.browser), asking.verifier)

        system.clock.advance(by: .seconds(240))
        try await system.domain.outbox.drain()
        #expect(revocations(system) == 0, "the app has still to sign in with what Apple gave")
        let done = try await system.domain.signIn.native(
            NativeSignIn(
                identityToken: nil, authorizationCode: credential.authorizationCode, nonce: nonce,
                clientID: TestSystem.juice
            ))
        #expect(done.isNewAccount && done.account.appleToken == .held)
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .withdrawn)
        system.clock.advance(by: .seconds(3_600))
        try await system.domain.outbox.drain()
        #expect(revocations(system) == 0)
    }

    @Test("rests while a code alone is redeemed for somebody who is signed in", arguments: Engine.allCases)
    func codeAlone(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await signIn(system)
        #expect(try await system.domain.revocations.revoke(RevocationRequest(), in: session, from: .unknown).count == 1)
        let slow = try await system.domain(over: DrainingApple(system: system))
        let challenge = try system.domain.challenges.make(for: .reauthenticate, session: session.session.id).nonce
        var request = try await system.device(nonce: challenge)
        request.identityToken = nil
        request.clientID = TestSystem.juice
        _ = try await slow.reauthentications.reauthenticate(session, with: request, from: .unknown)
        try await system.domain.outbox.drain()
        #expect(revocations(system) == 0)
        #expect(try await system.store.appleTokens(of: session.session.identityID).count == 1)
    }
}
