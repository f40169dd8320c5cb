import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

/// Gaps of the most complete open service. The tests of the other gaps are beside their features, under the same names.
@Suite("Gaps of a peer that are closed here")
struct PeerGapTests {
    @Test(
        "Gap 1: a native sign-in needs its nonce: the hash of a client's own, or a challenge in either form, once",
        arguments: Engine.allCases)
    func nonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        func request(apple: String?, raw: String?) async throws -> NativeSignIn {
            let answer = try await system.emulator.authorize(client: TestSystem.juice, nonce: apple, native: true)
            return NativeSignIn(identityToken: answer.identityToken, authorizationCode: answer.code, nonce: raw)
        }
        let own = String.nonce()
        let without = await #expect(throws: AccountError.self) {
            try await system.domain.signIn.native(request(apple: own.sha256, raw: nil))
        }
        #expect(without?.code == .requestInvalid && without?.field == "nonce")
        await #expect(throws: AppleIDError(.nonceMissing, "")) {
            try await system.domain.signIn.native(request(apple: nil, raw: own))
        }
        for (apple, raw) in [(own, own), (String.nonce().sha256, own)] {
            await #expect(throws: AppleIDError(.nonceMismatch, "")) {
                try await system.domain.signIn.native(request(apple: apple, raw: raw))
            }
        }
        _ = try await system.domain.signIn.native(request(apple: own.sha256, raw: own))
        await #expect(throws: AccountError(.alreadyUsed, "")) {
            try await system.domain.signIn.native(request(apple: own.sha256, raw: own))
        }
        for isHashed in [true, false] {
            let challenge = try system.domain.challenges.make(for: .signIn, session: nil).nonce
            let apple = isHashed ? challenge.sha256 : challenge
            _ = try await system.domain.signIn.native(request(apple: apple, raw: challenge))
            await #expect(throws: AccountError(.alreadyUsed, "")) {
                try await system.domain.signIn.native(request(apple: apple, raw: challenge))
            }
        }
    }

    @Test(
        "Gap 5: `email_verified` and `is_private_email` count as truth values and as text", arguments: Engine.allCases,
        [[], ["claims-as-text"]])
    func claims(on engine: Engine, quirks: [String]) async throws {
        let system = try await TestSystem(engine)
        try await system.order("/emulator/quirks", ["quirks": quirks])
        let account = try await system.signedIn().account
        #expect(account.email == "johnny@example.com" && account.emailVerified && !account.isPrivateEmail)
        let web = try await system.browse().account
        #expect(web.id == account.id && web.emailVerified)
    }

    @Test(
        "Gap 7: Apple's keys are fetched once for fifty sign-ins, and the last good ones are kept while none can be had",
        arguments: Engine.allCases)
    func keys(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        var requests: [NativeSignIn] = []
        for _ in 0..<50 {
            var request = try await system.device()
            request.authorizationCode = nil
            requests.append(request)
        }
        let orders = requests
        let done = try await withThrowingTaskGroup { group in
            for order in orders { group.addTask { try await system.domain.signIn.native(order) } }
            return try await group.reduce(into: 0) { count, _ in count += 1 }
        }
        #expect(done == 50)
        #expect(system.apple.count(of: "/auth/keys") == 1)
        system.apple.fail("/auth/keys", with: .status(500))
        for _ in 0..<3 {
            system.clock.advance(by: .seconds(2 * 3_600))
            var request = try await system.device()
            request.authorizationCode = nil
            _ = try await system.domain.signIn.native(request)
        }
    }
}
