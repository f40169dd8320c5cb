import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import OpenIDConnect
import Testing

@testable import AccountService

/// Requests to a provider that aren't answered in time: for its document, its keys, and a token.
@Suite("A provider that answers late, or never", .eachEngine, .timeLimit(.minutes(2)))
struct SlowProviderTests {
    private static let document = "/.well-known/openid-configuration"

    /// A service that waits one second for each answer.
    private func makeSystem() async throws -> PasswordSystem {
        try await PasswordSystem(providers: ["example", "other"], providerTimeLimit: .seconds(1))
    }

    private func begin(
        _ system: PasswordSystem, at id: String = "example"
    ) async throws -> (beginning: SignInBeginning, fields: [(name: String, value: String)]) {
        let beginning = try await system.domain.providerSignIn.begin(
            .signIn(nil), at: id, returnPath: .account, browser: nil)
        let provider = try #require(system.providers.first { $0.id == id })
        return (beginning, provider.authorize(at: beginning.location))
    }

    @Test(
        "Without the provider's document or keys no browser is sent there, and other providers work",
        arguments: [document, "/keys"])
    func begin(path: String) async throws {
        let system = try await makeSystem()
        let silence = system.providers[0].beSilent(at: path)
        await expectProviderError(.providerUnavailable) { _ = try await begin(system) }
        #expect(try await system.count("attempts") == 0)
        _ = try await begin(system, at: "other")
        silence.stop()
        system.clock.advance(by: .seconds(6))
        let (beginning, fields) = try await begin(system)
        let ending = try await system.domain.providerSignIn.finish(fields, at: "example", browser: beginning.browser)
        guard case .signIn = ending else {
            Issue.record("it ended as \(ending)")
            return
        }
    }

    @Test("A code is sent once and the attempt is used up, and a late answer signs nobody in")
    func exchange() async throws {
        let system = try await makeSystem()
        let (beginning, fields) = try await begin(system)
        let silence = system.providers[0].beSilent(at: "/token")
        await expectProviderError(.exchangeOutcomeUnknown) {
            _ = try await system.domain.providerSignIn.finish(fields, at: "example", browser: beginning.browser)
        }
        silence.stop()
        await expectError(.attemptUnknown) {
            _ = try await system.domain.providerSignIn.finish(fields, at: "example", browser: beginning.browser)
        }
        #expect(system.providers[0].exchanges == 1)
        #expect(try await system.accountCount() == 0)
        #expect(try await system.count("sessions") == 0)
        let (again, others) = try await begin(system)
        _ = try await system.domain.providerSignIn.finish(others, at: "example", browser: again.browser)
        #expect(try await system.accountCount() == 1)
    }

    @Test("An app's token isn't used up while the keys are missing, and signs in afterwards")
    func keys() async throws {
        let system = try await makeSystem()
        let credential = try system.providerCredential()
        let silence = system.providers[0].beSilent(at: "/keys")
        await expectProviderError(.providerUnavailable) {
            _ = try await system.domain.signIn.native(credential, from: PasswordSystem.caller)
        }
        #expect(try await system.count("spent") == 0)
        #expect(try await system.accountCount() == 0)
        silence.stop()
        system.clock.advance(by: .seconds(6))
        #expect(try await system.domain.signIn.native(credential, from: PasswordSystem.caller).isNewAccount)
    }

    @Test("The wait for a new key of the provider has the time limit")
    func newKey() async throws {
        let system = try await makeSystem()
        try await system.signInWithProvider()
        let provider = system.providers[0]
        let silence = provider.beSilent(at: "/keys")
        let header = #"{"alg":"ES256","kid":"key-2","typ":"JWT"}"#
        let raw = "a nonce of an app's own making"
        let token = try provider.token(nonce: raw.sha256, header: header)
        await expectProviderError(.keysUnavailable) {
            _ = try await system.domain.signIn.native(
                ProviderSignIn(provider: "example", identityToken: token, nonce: raw), from: PasswordSystem.caller)
        }
        silence.stop()
    }

    @Test(
        "A browser that leaves, or a shutdown, waits for an answer no longer than the time limit",
        arguments: [true, false])
    func leaving(answers: Bool) async throws {
        let system = try await makeSystem()
        let (beginning, fields) = try await begin(system)
        let silence = system.providers[0].beSilent(at: "/token")
        let work = Task {
            _ = try await system.domain.providerSignIn.finish(fields, at: "example", browser: beginning.browser)
        }
        await silence.isReached()
        work.cancel()
        if answers { silence.stop() }
        // A shutdown waits for what has begun.
        await system.domain.finishing.idle()
        silence.stop()
        switch await work.result {
        case .success: #expect(answers)
        case .failure(let error): #expect(!answers && (error as? OpenIDConnectError)?.code == .exchangeOutcomeUnknown)
        }
        #expect(try await system.count("attempts") == 0 && system.providers[0].exchanges == 1)
        #expect(try await system.count("sessions") == (answers ? 1 : 0))
    }
}
