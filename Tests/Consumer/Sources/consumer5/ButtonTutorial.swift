import AuthenticationServices

// The snippets of "Sign in With Apple button implementation tutorial" that warn where they are compiled, as they do on
// Apple's platforms, and so stand here as printed and not beside the others in SeedTests.

/// A view controller's members that the snippets call.
@MainActor
class ViewController: NSObject {
    /// User defaults of this program's own.
    enum UserDefaults {
        nonisolated(unsafe) static let standard = Foundation.UserDefaults(suiteName: "siwa-consumer")!
    }

    var finished: () -> Void = {}
    var segues: [String] = []

    func performSegue(withIdentifier identifier: String, sender: Any?) {
        segues.append(identifier)
    }

    // MARK: Check if user has logged in before

    func checkAtLaunch() {
        // swift-format-ignore
        if let userID = UserDefaults.standard.string(forKey: "userID") {

            // get the login status of Apple sign in for the app
            // asynchronous
            ASAuthorizationAppleIDProvider().getCredentialState(forUserID: userID, completion: {
                credentialState, error in

                switch(credentialState){
                case .authorized:
                    print("user remain logged in, proceed to another view")
                    self.performSegue(withIdentifier: "LoginToUserSegue", sender: nil)
                case .revoked:
                    print("user logged in before but revoked")
                case .notFound:
                    print("user haven't log in before")
                default:
                    print("unknown state")
                }
            })
        }
    }
}

// MARK: Setting up Sign-in with Apple dialog

extension ViewController: ASAuthorizationControllerDelegate {
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        defer { finished() }
        print("authorization error")
        guard let error = error as? ASAuthorizationError else {
            return
        }

        switch error.code {
        case .canceled:
            // user press "cancel" during the login prompt
            print("Canceled")
        case .unknown:
            // user didn't login their Apple ID on the device
            print("Unknown")
        case .invalidResponse:
            // invalid response received from the login
            print("Invalid Respone")
        case .notHandled:
            // authorization request not handled, maybe internet failure during login
            print("Not handled")
        case .failed:
            // authorization failed
            print("Failed")
        @unknown default:
            print("Default")
        }
    }

    // MARK: Check if user has logged in before

    // successful login
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {

        if let appleIDCredential = authorization.credential as? ASAuthorizationAppleIDCredential {
            // unique ID for the user
            let userID = appleIDCredential.user

            // save it to user defaults
            UserDefaults.standard.set(appleIDCredential.user, forKey: "userID")
        }
        finished()
    }
}
