import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

/// In processes of their own, since what is configured counts for a whole one.
@Suite("Where no account service is named", .timeLimit(.minutes(2)))
struct NotConfiguredTests {
    @Test("performing fails with a clear reason, and nobody is asked for a window")
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

    @Test("no user is found, with an error that says why; an empty one needs no error")
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

    @Test("an installed script answers for the whole process, until it is taken away")
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
