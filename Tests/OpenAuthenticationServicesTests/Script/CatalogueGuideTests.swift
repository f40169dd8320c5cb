import AuthenticationServicesTesting
import Foundation
import OpenAuthenticationServices
import Testing

// The snippets of OpenAuthenticationServices' catalogue, letter by letter.

// guide
@MainActor
final class SignInModel: NSObject, ASAuthorizationControllerDelegate {
    private(set) var user: String?
    private(set) var problem: String?

    func signIn() {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        controller.performRequests()
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        user = (authorization.credential as? ASAuthorizationAppleIDCredential)?.user
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        problem = (error as? ASAuthorizationError)?.code == .canceled ? nil : error.localizedDescription
    }
}
// end

/// Snippets that set the configuration. No test calls them, because all tests in this process would get it.
enum CatalogueCode {
    static func nameAccountService(at url: URL) {
        // guide
        var configuration = AuthenticationServicesConfiguration(backend: url, app: "juice")
        configuration.flow = .device
        AuthenticationServicesConfiguration.shared = configuration
        // end
    }

    static func setTimeout() {
        // guide
        var configuration = AuthenticationServicesConfiguration(
            backend: URL(string: "https://accounts.example.com")!, app: "juice")
        configuration.timeout = .seconds(300)
        AuthenticationServicesConfiguration.shared = configuration
        // end
    }
}

@Suite("The guide to the framework's stand-in")
@MainActor
struct CatalogueGuideTests {
    @Test("signs a person in")
    func signsIn() async {
        // guide
        let script = AuthorizationScript(.success(ASAuthorizationAppleIDCredential(user: "001999.f2a7")))
        await withAuthorizationScript(script) {
            let model = SignInModel()
            model.signIn()
            await script.allAnswered()
            #expect(model.user == "001999.f2a7")
        }
        // end
    }

    @Test("shows nothing to a person who cancels")
    func cancels() async {
        let script = AuthorizationScript(.cancel)
        await withAuthorizationScript(script) {
            let model = SignInModel()
            model.signIn()
            await script.allAnswered()
            #expect(model.user == nil)
            #expect(model.problem == nil)
        }
    }
}
