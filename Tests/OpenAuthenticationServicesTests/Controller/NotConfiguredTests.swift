import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

/// In processes of their own, since what is configured counts for a whole one.
@Suite("An app without an account service", .timeLimit(.minutes(2)))
struct NotConfiguredTests {
    @Test("gets a clear error for a request, and isn't asked for a window")
    func performing() async {
        await #expect(processExitsWith: .success) {
            try await NotConfiguredTests.expectNotHandled()
        }
    }

    @MainActor static func expectNotHandled() async throws {
        let controller = ASAuthorizationController(
            authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
        let delegate = RecordingDelegate()
        controller.delegate = delegate
        controller.presentationContextProvider = delegate
        await withCheckedContinuation { continuation in
            delegate.onOutcome = { _ in continuation.resume() }
            controller.performRequests()
        }
        let error = try #require(delegate.error)
        #expect(error.code == .notHandled)
        #expect(error.reason == .notConfigured)
        #expect((error as NSError).localizedFailureReason?.contains("SIWA_BACKEND") == true)
        #expect(delegate.anchorsAsked == 0)
    }

    @Test("finds no user, with an error that says why, and without one for an empty user")
    func credentialState() async {
        await #expect(processExitsWith: .success) {
            let provider = ASAuthorizationAppleIDProvider()
            let answer = await withCheckedContinuation { continuation in
                provider.getCredentialState(forUserID: "001999.ada") { state, error in
                    continuation.resume(returning: (state, error))
                }
            }
            #expect(answer.0 == .notFound)
            #expect((answer.1 as? ASAuthorizationError)?.reason == .notConfigured)
            await #expect(throws: ASAuthorizationError.self) {
                try await provider.credentialState(forUserID: "001999.ada")
            }
            let stateOfNobody = try await provider.credentialState(forUserID: "")
            #expect(stateOfNobody == .notFound)
        }
    }

    @Test("gets the answers of an installed script in the whole process, until it is removed")
    func installed() async {
        await #expect(processExitsWith: .success) {
            try await NotConfiguredTests.expectScript()
        }
    }

    @MainActor static func expectScript() async throws {
        let script = AuthorizationScript(.success(ada), states: ["001999.ada": .authorized])
        script.install()
        let delegate = RecordingDelegate()
        await withCheckedContinuation { continuation in
            delegate.onOutcome = { _ in continuation.resume() }
            // Code on the main queue knows nothing of the task that put it there.
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    let controller = ASAuthorizationController(
                        authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
                    controller.delegate = delegate
                    controller.performRequests()
                }
            }
        }
        #expect(delegate.appleIDCredential?.user == "001999.ada")
        let provider = ASAuthorizationAppleIDProvider()
        #expect(try await provider.credentialState(forUserID: "001999.ada") == .authorized)
        AuthorizationScript.uninstall()
        await #expect(throws: ASAuthorizationError.self) {
            try await provider.credentialState(forUserID: "001999.ada")
        }
    }
}
