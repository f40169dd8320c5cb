import AccountClient
import AuthenticationServices
import AuthenticationServicesTesting

/// The sample's login screen: its snippets, in a class that is no view controller.
@MainActor
final class LoginViewController: NSObject {
    enum Event: Sendable, Equatable {
        case saved(user: String)
        case shown(user: String, fullName: PersonNameComponents?, email: String?)
        case alerted(user: String, password: String)
        case failed(ASAuthorizationError.Code)
    }

    nonisolated let happenings = Happenings<Event>()
    let view = HeadlessView()
    var loginProviderStackView: HeadlessView { view }

    /// In memory: tests leave the desktop's keyring alone.
    let savedUser = KeychainItem(
        service: "com.example.apple-samplecode.juice", account: "userIdentifier", storage: MemoryStorage())

    func saveUserInKeychain(_ userIdentifier: String) {
        do {
            try savedUser.saveItem(userIdentifier)
        } catch {
            print("Unable to save userIdentifier to keychain.")
        }
        happenings.note(.saved(user: userIdentifier))
    }

    func showResultViewController(userIdentifier: String, fullName: PersonNameComponents?, email: String?) {
        happenings.note(.shown(user: userIdentifier, fullName: fullName, email: email))
    }

    func showPasswordCredentialAlert(username: String, password: String) {
        happenings.note(.alerted(user: username, password: password))
    }

    // MARK: Add a Sign in with Apple Button

    func setupProviderLoginView() {
        let authorizationButton = ASAuthorizationAppleIDButton()
        authorizationButton.addAction { [weak self] in self?.handleAuthorizationAppleIDButtonPress() }
        self.loginProviderStackView.addArrangedSubview(authorizationButton)
    }

    // MARK: Request Authorization with Apple ID

    func handleAuthorizationAppleIDButtonPress() {
        let appleIDProvider = ASAuthorizationAppleIDProvider()
        let request = appleIDProvider.createRequest()
        request.requestedScopes = [.fullName, .email]

        let authorizationController = ASAuthorizationController(authorizationRequests: [request])
        authorizationController.delegate = self
        authorizationController.presentationContextProvider = self
        authorizationController.performRequests()
    }

    // MARK: Request Existing Credentials

    func performExistingAccountSetupFlows() {
        // Prepare requests for both Apple ID and password providers.
        let requests = [
            ASAuthorizationAppleIDProvider().createRequest(),
            ASAuthorizationPasswordProvider().createRequest(),
        ]

        // Create an authorization controller with the given requests.
        let authorizationController = ASAuthorizationController(authorizationRequests: requests)
        authorizationController.delegate = self
        authorizationController.presentationContextProvider = self
        authorizationController.performRequests()
    }
}

extension LoginViewController: ASAuthorizationControllerDelegate {
    // MARK: Handle User Credentials

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let appleIDCredential as ASAuthorizationAppleIDCredential:

            // Create an account in your system.
            let userIdentifier = appleIDCredential.user
            let fullName = appleIDCredential.fullName
            let email = appleIDCredential.email

            // For the purpose of this demo app, store the `userIdentifier` in the keychain.
            self.saveUserInKeychain(userIdentifier)

            // For the purpose of this demo app, show the Apple ID credential information in the `ResultViewController`.
            self.showResultViewController(userIdentifier: userIdentifier, fullName: fullName, email: email)

        case let passwordCredential as ASPasswordCredential:

            // Sign in using an existing iCloud Keychain credential.
            let username = passwordCredential.user
            let password = passwordCredential.password

            // For the purpose of this demo app, show the password credential as an alert.
            DispatchQueue.main.async {
                self.showPasswordCredentialAlert(username: username, password: password)
            }

        default:
            break
        }
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        // Handle error.
        if let error = error as? ASAuthorizationError { happenings.note(.failed(error.code)) }
    }
}

extension LoginViewController: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        return self.view.window!
    }
}
