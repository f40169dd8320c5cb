import AccountService
import AppleID
import AppleIDTesting
import Testing

@Suite("While Apple cannot be reached")
struct OutageTests {
    private func appOnly(_ house: House) async throws -> NativeSignIn {
        var request = try await house.device()
        request.authorizationCode = nil
        return request
    }

    @Test("sign-ins go on with the keys that are known", arguments: Engine.allCases)
    func knownKeys(on engine: Engine) async throws {
        let house = try await House(engine)
        _ = try await house.domain.signIn.native(appOnly(house))
        house.apple.fail("/auth/keys", with: .unreachable)
        house.clock.advance(by: .seconds(2 * 3_600))
        _ = try await house.domain.signIn.native(appOnly(house))
    }

    @Test(
        "a server that starts verifies with the keys in its store", .timeLimit(.minutes(1)), arguments: Engine.allCases)
    func restart(on engine: Engine) async throws {
        let house = try await House(engine)
        _ = try await house.domain.signIn.native(appOnly(house))
        try await house.keysAreKept()
        let restarted = try await House(store: house.store, sharing: house)
        restarted.apple.fail("/auth/keys", with: .status(503))
        _ = try await restarted.domain.signIn.native(appOnly(restarted))
    }

    @Test("a server without any keys says that it cannot know", arguments: Engine.allCases)
    func noKeys(on engine: Engine) async throws {
        let house = try await House(engine)
        house.apple.fail("/auth/keys", with: .unreachable)
        await #expect(throws: AppleIDError(.keysUnavailable, "")) {
            try await house.domain.signIn.native(appOnly(house))
        }
    }

    @Test("keys are fetched once for many sign-ins", arguments: Engine.allCases)
    func oneFetch(on engine: Engine) async throws {
        let house = try await House(engine)
        for _ in 0..<10 { _ = try await house.domain.signIn.native(appOnly(house)) }
        #expect(house.apple.count(of: "/auth/keys") == 1)
    }

    @Test("a caller that leaves does not stop its sign-in", arguments: Engine.allCases)
    func callerLeaves(on engine: Engine) async throws {
        let house = try await House(engine)
        let request = try await house.device()
        let caller = Task { try await house.domain.signIn.native(request) }
        caller.cancel()
        _ = try await caller.value
        let later = try await house.domain.signIn.native(house.device(name: nil))
        #expect(!later.isNewAccount)
        #expect(later.account.name?.givenName == "Johnny")
    }
}
