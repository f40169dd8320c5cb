import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

/// An Apple that, while it redeems a code, has the time to hear of every revocation that is due.
private struct DrainingApple: AppleTransport {
    let house: House

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        if request.url.hasSuffix("/auth/token") { try await house.domain.outbox.drain() }
        return try await house.apple.send(request)
    }
}

@Suite("A revocation that waits while its person returns")
struct RestingRevocationTests {
    private func revocations(_ house: House) -> Int { house.apple.count(of: "/auth/revoke") }

    private func signIn(_ house: House) async throws -> StoredSession {
        let done = try await house.domain.signIn.native(house.device())
        return try await house.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
    }

    @Test(
        "rests while an app's authorization is redeemed, and until the app has signed in with it",
        arguments: Engine.allCases)
    func authorization(on engine: Engine) async throws {
        let house = try await House(engine)
        let receipt = try await house.domain.deletions.delete(accountOf: signIn(house))
        let nonce = String.nonce()
        let asking = try await house.ask(nonce: nonce.sha256)
        let beginning = try await house.domain.authorizations.proceed(asking.id, browser: nil)
        let form = try await house.decide(at: beginning.location)
        let slow = try await house.domain(over: DrainingApple(house: house))
        _ = try await slow.signIn.finish(AuthorizationResponse(form: form), browser: beginning.browser)
        #expect(revocations(house) == 0)

        let credential = try await house.redeem(house.handle(asking, beginning.browser), asking.verifier)

        house.clock.advance(by: .seconds(240))
        try await house.domain.outbox.drain()
        #expect(revocations(house) == 0, "the app has still to sign in with what Apple gave")
        let done = try await house.domain.signIn.native(
            NativeSignIn(
                identityToken: nil, authorizationCode: credential.authorizationCode, nonce: nonce, clientID: House.juice
            ))
        #expect(done.isNewAccount && done.account.appleToken == .held)
        #expect(try await house.domain.deletions.deletion(receipt.handle).state == .withdrawn)
        house.clock.advance(by: .seconds(3_600))
        try await house.domain.outbox.drain()
        #expect(revocations(house) == 0)
    }

    @Test("rests while a code alone is redeemed for somebody who is signed in", arguments: Engine.allCases)
    func codeAlone(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await signIn(house)
        #expect(try await house.domain.revocations.revoke(RevocationRequest(), in: session, from: .unknown).count == 1)
        let slow = try await house.domain(over: DrainingApple(house: house))
        let challenge = try house.domain.challenges.make(for: .reauthenticate, session: session.session.id).nonce
        var request = try await house.device(nonce: challenge)
        request.identityToken = nil
        request.clientID = House.juice
        _ = try await slow.signIn.reauthenticate(session, with: request, from: .unknown)
        try await house.domain.outbox.drain()
        #expect(revocations(house) == 0)
        #expect(try await house.store.appleTokens(of: session.session.identityID).count == 1)
    }
}
