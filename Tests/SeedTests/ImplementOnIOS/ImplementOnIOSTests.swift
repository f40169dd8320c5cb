import AuthenticationServices
import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("Implement Sign In with Apple on iOS", .timeLimit(.minutes(1)))
struct ImplementOnIOSTests {
    private let script = AuthorizationScript(.success(.firstOfJohnny))
    private let controller = SignInViewController(myAPI: BackendAPI { code in "token for \(code)" })

    @Test("Implement on iOS › 2. Add the AuthenticationServices framework › import")
    func imported() {
        #expect(
            AuthenticationServices.ASAuthorizationController.self
                == OpenAuthenticationServices.ASAuthorizationController.self)
    }

    @Test("Implement on iOS › 3. Add the Apple ID button to your view › the button")
    func button() async throws {
        controller.addSignInButton()
        let button = try #require(controller.view.buttons.first)
        #expect(button.title == "Sign in with Apple")
        #expect(button.style == .black)
        try await withAuthorizationScript(script) {
            button.press()
            try await controller.happenings.expect(.stored(apiToken: "token for a code"))
        }
    }

    @Test("Implement on iOS › 4.1. Create the request › signInButtonPressed")
    func request() async {
        await withAuthorizationScript(script) {
            controller.signInButtonPressed()
            await script.allAnswered()
        }
        #expect(script.requests.first?.requestedScopes == [.fullName, .email])
    }

    @Test("Implement on iOS › 4.2. Provide a presentation context › presentationAnchor")
    func anchor() {
        let asking = ASAuthorizationController(authorizationRequests: [])
        #expect(controller.presentationAnchor(for: asking) === controller.view.window)
    }

    @Test("Implement on iOS › 4.3.1 Handle authorization errors › a cancel and others")
    func failure() async throws {
        let script = AuthorizationScript(.cancel, .failure(ASAuthorizationError(.failed)))
        try await withAuthorizationScript(script) {
            controller.signInButtonPressed()
            try await controller.happenings.expect(.quiet)
            controller.signInButtonPressed()
            try await controller.happenings.expect(.alerted(.failed))
        }
    }

    @Test("Implement on iOS › 4.3.2 Handle a successful response › no code")
    func noCode() async throws {
        let credential = ASAuthorizationAppleIDCredential(user: ASAuthorizationAppleIDCredential.userOfJohnny)
        try await withAuthorizationScript(AuthorizationScript(.success(credential))) {
            controller.signInButtonPressed()
            try await controller.happenings.expect(.missingCode)
        }
    }
}
