import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

/// Answers codes and revocations with an error of Apple's, and lets everything else through.
struct RefusingApple: AppleTransport {
    let inner: EmulatorTransport
    let error: String

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        guard ["/auth/token", "/auth/revoke"].contains(where: request.url.hasSuffix) else {
            return try await inner.send(request)
        }
        return AppleResponse(
            status: 400, headerFields: [.contentType: "application/json"], body: Array(#"{"error":"\#(error)"}"#.utf8))
    }
}

@Suite("A code that cannot be redeemed at the sign-in")
struct WaitingCodeTests {
    @Test(
        "waits, while its person is signed in, and is redeemed when Apple answers", arguments: Engine.allCases,
        [true, false])
    func waits(on engine: Engine, onTheWeb: Bool) async throws {
        let system = try await TestSystem(engine)
        system.apple.fail("/auth/token", with: .unreachable)
        let account = onTheWeb ? try await system.browse().account : try await system.native()
        #expect(account.appleToken == .waiting)
        system.apple.fail("/auth/token", with: nil)
        system.clock.advance(by: .seconds(6))
        try await system.domain.outbox.drain()
        let identity = try #require(try await system.store.identities(of: account.id).first)
        let token = try #require(try await system.store.appleTokens(of: identity.id).first)
        #expect(token.clientID == (onTheWeb ? TestSystem.juiceWeb : TestSystem.juice))
        // It is a good one: with it, Apple ends the authorization.
        let later = try await system.domain.signIn.native(system.withoutCode())
        #expect(later.account.appleToken == .held)
        #expect(try await system.revokeHeld(later) == 1)
        #expect(try await system.emulator.authorize(client: TestSystem.juiceWeb).user != nil)
    }

    @Test(
        "waits if our own configuration is wrong", arguments: Engine.allCases,
        ["invalid_client", "unauthorized_client"])
    func configuration(on engine: Engine, error: String) async throws {
        let system = try await TestSystem(engine)
        let wrong = try await system.domain(over: RefusingApple(inner: system.apple, error: error))
        let done = try await wrong.signIn.native(system.device())
        #expect(done.account.appleToken == .waiting)
        system.clock.advance(by: .seconds(6))
        try await wrong.outbox.drain()
        // The operator mends it within five minutes.
        system.clock.advance(by: .seconds(60))
        try await system.domain.outbox.drain()
        let session = try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        #expect(session.account.appleToken == .held)
    }

    @Test("is abandoned when it is five minutes old, and the session goes on", arguments: Engine.allCases)
    func tooOld(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        system.apple.fail("/auth/token", with: .status(500))
        let done = try await system.domain.signIn.native(system.device())
        for _ in 0..<10 {
            system.clock.advance(by: .seconds(31))
            try await system.domain.outbox.drain()
        }
        let count = system.apple.count(of: "/auth/token")
        system.apple.fail("/auth/token", with: nil)
        system.clock.advance(by: .seconds(60))
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/token") == count)
        let session = try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        #expect(session.account.appleToken == .none)
    }

    @Test("refuses the sign-in when Apple calls the grant dead", arguments: Engine.allCases)
    func dead(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let refusing = try await system.domain(over: RefusingApple(inner: system.apple, error: "invalid_grant"))
        let request = try await system.device()
        await #expect(throws: AppleIDError(.grantRejected, "")) { try await refusing.signIn.native(request) }
    }

    @Test("goes with a deleted account, and the token that it brings is revoked", arguments: Engine.allCases)
    func deleted(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        system.apple.fail("/auth/token", with: .unreachable)
        let done = try await system.domain.signIn.native(system.device())
        let session = try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        #expect(receipt.deletion.state == .waiting && receipt.deletion.asksApple)
        system.apple.fail("/auth/token", with: nil)
        system.clock.advance(by: .seconds(6))
        try await system.domain.outbox.drain()
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(system.apple.count(of: "/auth/revoke") == 1)
        #expect(try await system.emulator.authorize(client: TestSystem.juiceWeb).user != nil)
    }
}

extension TestSystem {
    fileprivate func native() async throws -> Account {
        try await domain.signIn.native(device()).account
    }

    fileprivate func withoutCode() async throws -> NativeSignIn {
        var request = try await device()
        request.authorizationCode = nil
        return request
    }

    /// Ends Apple's authorization by what is held.
    fileprivate func revokeHeld(_ done: TokenSignIn) async throws -> Int {
        let session = try await domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        let order = try await domain.revocations.revoke(RevocationRequest(), in: session, from: .unknown)
        try await domain.outbox.drain()
        return order.count
    }
}
