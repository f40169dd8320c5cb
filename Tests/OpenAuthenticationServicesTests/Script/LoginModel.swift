import Crypto
import OpenAuthenticationServices

/// A login screen's model as an app has it; it knows nothing of scripts.
@MainActor
final class LoginModel: NSObject, ASAuthorizationControllerDelegate {
    enum Screen: Equatable {
        case login
        case signingIn
        case welcome(user: String, name: String)
        case problem(String)
    }

    private(set) var screen = Screen.login
    private let nonce: String
    private var controller: ASAuthorizationController?

    init(nonce: String) {
        self.nonce = nonce
    }

    /// At launch: whoever signed in before is let in.
    func lookForExistingAccount() {
        perform([
            ASAuthorizationAppleIDProvider().createRequest(), ASAuthorizationPasswordProvider().createRequest(),
        ])
    }

    func signIn() {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.nonce = SHA256.hash(data: Data(nonce.utf8)).map { String(format: "%02x", $0) }.joined()
        perform([request])
    }

    func goBack() {
        controller?.cancel()
    }

    private func perform(_ requests: [ASAuthorizationRequest]) {
        screen = .signingIn
        let controller = ASAuthorizationController(authorizationRequests: requests)
        controller.delegate = self
        controller.performRequests()
        self.controller = controller
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let credential as ASAuthorizationAppleIDCredential:
            screen = .welcome(user: credential.user, name: credential.fullName?.formatted() ?? "")
        case let credential as ASPasswordCredential:
            screen = .welcome(user: credential.user, name: "")
        default:
            screen = .problem("What is this?")
        }
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        if case ASAuthorizationError.canceled = error {
            screen = .login
        } else {
            screen = .problem(error.localizedDescription)
        }
    }
}
