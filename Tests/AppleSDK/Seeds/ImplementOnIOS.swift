// swift-format-ignore-file
// The guide to an implementation on iOS, in UIKit as it is printed there. What the text leaves to the reader stands at the end.

import UIKit
import AuthenticationServices

class SignInViewController: UIViewController {
    func showButton() {
        // Instantiate the button with a type and style
        let signInButton = ASAuthorizationAppleIDButton(type: .signIn, style: .black)

        // Add an action to be called when tapping the button
        signInButton.addTarget(self, action: #selector(signInButtonPressed), for: .touchUpInside)
        view.addSubview(signInButton)
    }

    @objc func signInButtonPressed() {
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
}

extension SignInViewController: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        return view.window!
    }
}

extension SignInViewController: ASAuthorizationControllerDelegate {
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        let authError = ASAuthorizationError(_nsError: error as NSError)  // printed without the cast, which the initialiser needs
        switch authError.code {
            // Add cases and handle errors
        default: break  // not printed: a switch needs a case
        }
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization) {
        if let appleIDCredential = authorization.credential as? ASAuthorizationAppleIDCredential {
            if let data = appleIDCredential.authorizationCode  /* printed as `credential`, which nothing is called */, let code = String(data: data, encoding: .utf8) {
                // Now send the 'code' to your backend to get an API token.
                exchangeCode(code)
            } else {
                // Handle missing authorization code ...
            }
        }
    }
}

extension SignInViewController {
    func exchangeCode(_ code: String) {
        // `myAPI` is a fictional backend API:
        myAPI.exchangeCode(code) { apiToken, error in
            if let apiToken = apiToken {
                // Store API Token
            } else {
                // Handle error
            }
        }
    }
}

let myAPI = BackendAPI()

struct BackendAPI {
    func exchangeCode(_ code: String, _ completion: (String?, (any Error)?) -> Void) {}
}
