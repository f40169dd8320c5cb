import AccountService
import AppleID
import AppleIDTesting
import Testing

@Suite("While Apple cannot be reached")
struct OutageTests {
    private func appOnly(_ system: TestSystem) async throws -> NativeSignIn {
        var request = try await system.device()
        request.authorizationCode = nil
        return request
    }

    @Test("sign-ins go on with the keys that are known", arguments: Engine.allCases)
    func knownKeys(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        _ = try await system.domain.signIn.native(appOnly(system))
        system.apple.fail("/auth/keys", with: .unreachable)
        system.clock.advance(by: .seconds(2 * 3_600))
        _ = try await system.domain.signIn.native(appOnly(system))
    }

    @Test(
        "a server that starts verifies with the keys in its store", .timeLimit(.minutes(1)), arguments: Engine.allCases)
    func restart(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        _ = try await system.domain.signIn.native(appOnly(system))
        try await system.keysAreKept()
        let restarted = try await TestSystem(store: system.store, sharing: system)
        restarted.apple.fail("/auth/keys", with: .status(503))
        _ = try await restarted.domain.signIn.native(appOnly(restarted))
    }

    @Test("a server without any keys says that it can't verify", arguments: Engine.allCases)
    func noKeys(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        system.apple.fail("/auth/keys", with: .unreachable)
        await #expect(throws: AppleIDError(.keysUnavailable, "")) {
            try await system.domain.signIn.native(appOnly(system))
        }
    }

    @Test("keys are fetched once for many sign-ins", arguments: Engine.allCases)
    func oneFetch(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        for _ in 0..<10 { _ = try await system.domain.signIn.native(appOnly(system)) }
        #expect(system.apple.count(of: "/auth/keys") == 1)
    }

    @Test("a caller that leaves does not stop its sign-in", arguments: Engine.allCases)
    func callerLeaves(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let request = try await system.device()
        let caller = Task { try await system.domain.signIn.native(request) }
        caller.cancel()
        _ = try await caller.value
        let later = try await system.domain.signIn.native(system.device(name: nil))
        #expect(!later.isNewAccount)
        #expect(later.account.name?.givenName == "Johnny")
    }
}
