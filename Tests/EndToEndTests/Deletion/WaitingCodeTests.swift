import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
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
            status: 400, headers: [("Content-Type", "application/json")], body: Array(#"{"error":"\#(error)"}"#.utf8))
    }
}

@Suite("A code that cannot be redeemed at the sign-in")
struct WaitingCodeTests {
    @Test(
        "waits, while its person is signed in, and is redeemed when Apple answers", arguments: Engine.allCases,
        [true, false])
    func waits(on engine: Engine, onTheWeb: Bool) async throws {
        let house = try await House(engine)
        house.apple.fail("/auth/token", with: .unreachable)
        let account = onTheWeb ? try await house.browse().account : try await house.native()
        #expect(account.appleToken == .waiting)
        house.apple.fail("/auth/token", with: nil)
        house.clock.advance(by: .seconds(6))
        try await house.domain.outbox.drain()
        let identity = try #require(try await house.store.identities(of: account.id).first)
        let token = try #require(try await house.store.appleTokens(of: identity.id).first)
        #expect(token.clientID == (onTheWeb ? House.juiceWeb : House.juice))
        // It is a good one: with it, Apple ends the authorization.
        let later = try await house.domain.signIn.native(house.withoutCode())
        #expect(later.account.appleToken == .held)
        #expect(try await house.revokeHeld(later) == 1)
        #expect(try await house.emulator.authorize(client: House.juiceWeb).user != nil)
    }

    @Test(
        "waits where our own configuration is wrong", arguments: Engine.allCases,
        ["invalid_client", "unauthorized_client"])
    func configuration(on engine: Engine, error: String) async throws {
        let house = try await House(engine)
        let wrong = try await house.domain(over: RefusingApple(inner: house.apple, error: error))
        let done = try await wrong.signIn.native(house.device())
        #expect(done.account.appleToken == .waiting)
        house.clock.advance(by: .seconds(6))
        try await wrong.outbox.drain()
        // The operator mends it within five minutes.
        house.clock.advance(by: .seconds(60))
        try await house.domain.outbox.drain()
        let session = try await house.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        #expect(session.account.appleToken == .held)
    }

    @Test("is given up when it is five minutes old, and nobody is signed out", arguments: Engine.allCases)
    func tooOld(on engine: Engine) async throws {
        let house = try await House(engine)
        house.apple.fail("/auth/token", with: .status(500))
        let done = try await house.domain.signIn.native(house.device())
        for _ in 0..<10 {
            house.clock.advance(by: .seconds(31))
            try await house.domain.outbox.drain()
        }
        let count = house.apple.count(of: "/auth/token")
        house.apple.fail("/auth/token", with: nil)
        house.clock.advance(by: .seconds(60))
        try await house.domain.outbox.drain()
        #expect(house.apple.count(of: "/auth/token") == count)
        let session = try await house.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        #expect(session.account.appleToken == .none)
    }

    @Test("refuses the sign-in when Apple calls the grant dead", arguments: Engine.allCases)
    func dead(on engine: Engine) async throws {
        let house = try await House(engine)
        let refusing = try await house.domain(over: RefusingApple(inner: house.apple, error: "invalid_grant"))
        let request = try await house.device()
        await #expect(throws: AppleIDError(.grantRejected, "")) { try await refusing.signIn.native(request) }
    }

    @Test("goes with an account that is deleted, and what it brings is revoked", arguments: Engine.allCases)
    func deleted(on engine: Engine) async throws {
        let house = try await House(engine)
        house.apple.fail("/auth/token", with: .unreachable)
        let done = try await house.domain.signIn.native(house.device())
        let session = try await house.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        let receipt = try await house.domain.deletions.delete(accountOf: session)
        #expect(receipt.deletion.state == .waiting && receipt.deletion.asksApple)
        house.apple.fail("/auth/token", with: nil)
        house.clock.advance(by: .seconds(6))
        try await house.domain.outbox.drain()
        #expect(try await house.domain.deletions.deletion(receipt.handle).state == .done)
        #expect(house.apple.count(of: "/auth/revoke") == 1)
        #expect(try await house.emulator.authorize(client: House.juiceWeb).user != nil)
    }
}

extension House {
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
