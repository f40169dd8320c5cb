import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

/// Code that compiles against Apple's module compiles here, and means the same.
@MainActor
@Suite("Code as apps write it", .timeLimit(.minutes(2)))
struct AppCodeTests {
    @Test("puts requests of both kinds into one array without naming its type")
    func heterogeneousRequests() {
        let requests = [
            ASAuthorizationAppleIDProvider().createRequest(), ASAuthorizationPasswordProvider().createRequest(),
        ]
        let typed: [ASAuthorizationRequest] = requests
        #expect(ASAuthorizationController(authorizationRequests: requests).authorizationRequests == typed)
    }

    @Test("appends to scopes that may be nil")
    func appendsScopes() {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes?.append(.email)
        #expect(request.requestedScopes == nil)
        request.requestedScopes = [.fullName]
        request.requestedScopes?.append(.email)
        #expect(request.requestedScopes == [.fullName, .email])
    }

    @Test("switches over the kinds of credential")
    func switchesOverCredentials() {
        #expect(Self.name(of: ASAuthorization(credential: ada)) == "001999.ada")
        #expect(
            Self.name(of: ASAuthorization(credential: ASPasswordCredential(user: "ada", password: "engine"))) == "ada")
    }

    private static func name(of authorization: ASAuthorization) -> String? {
        switch authorization.credential {
        case let appleIDCredential as ASAuthorizationAppleIDCredential:
            appleIDCredential.user
        case let passwordCredential as ASPasswordCredential:
            passwordCredential.user
        default:
            nil
        }
    }

    @Test("switches over all five codes of today, with a case for later ones")
    func switchesOverCodes() {
        #expect(Self.word(for: ASAuthorizationError(.canceled)) == "canceled")
        #expect(Self.word(for: ASAuthorizationError(.preferSignInWithApple)) == "newer")
        #expect(ASAuthorizationError.Code(rawValue: 1001) == .canceled)
    }

    private static func word(for error: any Error) -> String? {
        guard let error = error as? ASAuthorizationError else { return nil }
        switch error.code {
        case .canceled: return "canceled"
        case .failed: return "failed"
        case .invalidResponse: return "invalidResponse"
        case .notHandled: return "notHandled"
        case .unknown: return "unknown"
        case .notInteractive, .matchedExcludedCredential, .credentialImport, .credentialExport,
            .preferSignInWithApple, .deviceNotConfiguredForPasskeyCreation:
            return "newer"
        @unknown default: return "later"
        }
    }

    /// A controller that only notes that it was asked, as unit tests have them.
    private final class ControllerSpy: ASAuthorizationController {
        private(set) var performCount = 0
        private(set) var cancelCount = 0

        override func performRequests() { performCount += 1 }

        override func cancel() { cancelCount += 1 }
    }

    /// Takes its controllers from a function, the initialiser unless a test says otherwise.
    @MainActor
    private struct SignInService {
        var makeController: ([ASAuthorizationRequest]) -> ASAuthorizationController = ASAuthorizationController.init

        func signIn() -> ASAuthorizationController {
            let controller = makeController([ASAuthorizationAppleIDProvider().createRequest()])
            controller.performRequests()
            return controller
        }
    }

    @Test("puts a spy in the controller's place, and the controller by default")
    func spy() async throws {
        let spied = SignInService(makeController: ControllerSpy.init).signIn()
        spied.cancel()
        let spy = try #require(spied as? ControllerSpy)
        #expect(spy.performCount == 1)
        #expect(spy.cancelCount == 1)
        let script = AuthorizationScript(.success(ada))
        await withAuthorizationScript(script) {
            let controller = SignInService().signIn()
            #expect(!(controller is ControllerSpy))
            await script.allAnswered()
        }
        #expect(script.requests.count == 1)
    }

    /// Providers that answer for the account service: as apps had to write them before async code, and after.
    private final class ProviderSpy: ASAuthorizationAppleIDProvider, @unchecked Sendable {
        override func getCredentialState(
            forUserID userID: String,
            completion: @escaping @Sendable (ASAuthorizationAppleIDProvider.CredentialState, (any Error)?) -> Void
        ) {
            completion(userID == "gone" ? .revoked : .authorized, nil)
        }
    }

    private final class AsyncProviderSpy: ASAuthorizationAppleIDProvider, @unchecked Sendable {
        override func credentialState(
            forUserID userID: String
        ) async throws -> ASAuthorizationAppleIDProvider.CredentialState {
            .transferred
        }
    }

    @Test("puts a spy in the provider's place")
    func providerSpy() async throws {
        let provider: ASAuthorizationAppleIDProvider = ProviderSpy()
        let state = await withCheckedContinuation { continuation in
            provider.getCredentialState(forUserID: "gone") { state, _ in continuation.resume(returning: state) }
        }
        #expect(state == .revoked)
        #expect(try await provider.credentialState(forUserID: "gone") == .revoked)
        #expect(try await provider.credentialState(forUserID: "here") == .authorized)
        let asyncProvider: ASAuthorizationAppleIDProvider = AsyncProviderSpy()
        #expect(try await asyncProvider.credentialState(forUserID: "gone") == .transferred)
    }

    private final class SuccessOnly: NSObject, ASAuthorizationControllerDelegate {
        private(set) var user: String?

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            user = (authorization.credential as? ASAuthorizationAppleIDCredential)?.user
        }
    }

    @Test("implements one of the delegate's methods alone")
    func oneMethod() async {
        let delegate = SuccessOnly()
        let script = AuthorizationScript(.cancel, .success(ada))
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            controller.delegate = delegate
            controller.performRequests()
            await script.allAnswered()
            #expect(delegate.user == nil)
            controller.performRequests()
            await script.allAnswered()
        }
        #expect(delegate.user == "001999.ada")
    }

    /// Its methods are written without an actor, as code from before Apple's protocols had one.
    private nonisolated final class Unisolated: NSObject, ASAuthorizationControllerDelegate,
        ASAuthorizationControllerPresentationContextProviding
    {
        let isTold = AuthorizationSignal()

        nonisolated func authorizationController(
            controller: ASAuthorizationController, didCompleteWithError error: any Error
        ) {
            isTold.send()
        }

        nonisolated func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
            ASPresentationAnchor()
        }
    }

    @Test("implements the delegate without an actor")
    func unisolated() async {
        let delegate = Unisolated()
        let script = AuthorizationScript(.cancel)
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            controller.delegate = delegate
            controller.presentationContextProvider = delegate
            controller.performRequests(options: [.preferImmediatelyAvailableCredentials])
            await script.allAnswered()
        }
        await delegate.isTold.wait()
    }

    @Test("calls the delegate itself with values that it has made")
    func callsDelegate() {
        let delegate = SuccessOnly()
        delegate.authorizationController(
            controller: ASAuthorizationController(authorizationRequests: []),
            didCompleteWithAuthorization: ASAuthorization(credential: ada))
        #expect(delegate.user == "001999.ada")
    }

    @Test("uses Foundation's and Dispatch's names with this import alone")
    func reexports() async {
        let name = await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume(returning: ada.fullName ?? PersonNameComponents()) }
        }
        #expect(name.formatted() == "Ada Lovelace")
    }

    @Test("makes a presentation anchor by itself")
    func anchor() {
        let anchor: NSObject = ASPresentationAnchor()
        #expect(anchor is ASPresentationAnchor)
    }
}
