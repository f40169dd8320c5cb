import AuthenticationServices
import AuthenticationServicesTesting

/// The guide's view controller: its snippets, in a class that is none.
@MainActor
final class SignInViewController: NSObject {
    enum Event: Sendable, Equatable {
        case stored(apiToken: String)
        case refused
        case missingCode
        case alerted(ASAuthorizationError.Code)
        case quiet
    }

    nonisolated let happenings = Happenings<Event>()
    let view = HeadlessView()
    let myAPI: BackendAPI

    init(myAPI: BackendAPI) {
        self.myAPI = myAPI
    }

    // MARK: 3. Add the Apple ID button to your view

    func addSignInButton() {
        // Instantiate the button with a type and style
        let signInButton = ASAuthorizationAppleIDButton(type: .signIn, style: .black)

        // Add an action to be called when tapping the button
        signInButton.addAction { [weak self] in self?.signInButtonPressed() }
        view.addSubview(signInButton)
    }

    // MARK: 4.1. Create the request

    func signInButtonPressed() {
        // First you create an apple id provider request with the scope of full name and email
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]

        // Instanstiate and configure the authorization controller
        let authorizationController = ASAuthorizationController(authorizationRequests: [request])
        authorizationController.presentationContextProvider = self
        authorizationController.delegate = self

        // Perform the request
        authorizationController.performRequests()
    }

    // MARK: 4.3.2 Handle a successful response

    func exchangeCode(_ code: String) {
        // `myAPI` is a fictional backend API:
        myAPI.exchangeCode(code) { apiToken, error in
            if let apiToken = apiToken {
                // Store API Token
                self.happenings.note(.stored(apiToken: apiToken))
            } else {
                // Handle error
                self.happenings.note(.refused)
            }
        }
    }
}

extension SignInViewController: ASAuthorizationControllerPresentationContextProviding {
    // MARK: 4.2. Provide a presentation context

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        return view.window!
    }
}

extension SignInViewController: ASAuthorizationControllerDelegate {
    // MARK: 4.3.1 Handle authorization errors

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        let authError = ASAuthorizationError(_nsError: error as NSError)
        switch authError.code {
        // Add cases and handle errors
        case .canceled: happenings.note(.quiet)
        default: happenings.note(.alerted(authError.code))
        }
    }

    // MARK: 4.3.2 Handle a successful response

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        if let appleIDCredential = authorization.credential as? ASAuthorizationAppleIDCredential {
            if let data = appleIDCredential.authorizationCode, let code = String(data: data, encoding: .utf8) {
                // Now send the 'code' to your backend to get an API token.
                exchangeCode(code)
            } else {
                // Handle missing authorization code ...
                happenings.note(.missingCode)
            }
        }
    }
}
