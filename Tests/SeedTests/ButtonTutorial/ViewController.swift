import AuthenticationServices
import AuthenticationServicesTesting

/// The tutorial's view controller: its snippets, in a class that is none.
@MainActor
class ViewController: NSObject {
    nonisolated let happenings = Happenings<Event>()
    let view = HeadlessView()
    private var revocation: (any NSObjectProtocol)?

    enum Event: Sendable, Equatable {
        case moved(to: String, sender: String?)
        case signedIn(user: String)
        case loggedOut
    }

    /// Stands before Foundation's in this class, so that `standard` is the test's own.
    @MainActor
    enum UserDefaults {
        static let standard = SeedDefaults.own
    }

    nonisolated func performSegue(withIdentifier identifier: String, sender: String?) {
        happenings.note(.moved(to: identifier, sender: sender))
    }

    // MARK: Setting up SIWA button UI

    func viewDidLoad() {
        // Do any additional setup after loading the view.

        let siwaButton = ASAuthorizationAppleIDButton()

        // add the button to the view controller root view
        self.view.addSubview(siwaButton)

        // the function that will be executed when user tap the button
        siwaButton.addAction { [weak self] in self?.appleSignInTapped() }
    }

    // MARK: Setting up Sign-in with Apple dialog

    func appleSignInTapped() {
        let provider = ASAuthorizationAppleIDProvider()
        let request = provider.createRequest()
        // request full name and email from the user's Apple ID
        request.requestedScopes = [.fullName, .email]

        // pass the request to the initializer of the controller
        let authController = ASAuthorizationController(authorizationRequests: [request])

        // similar to delegate, this will ask the view controller
        // which window to present the ASAuthorizationController
        authController.presentationContextProvider = self

        // delegate functions will be called when user data is
        // successfully retrieved or error occured
        authController.delegate = self

        // show the Sign-in with Apple dialog
        authController.performRequests()
    }

    // MARK: Check if user has logged in before

    func moveToMainViewIfKnown() {
        // on the initial view controller or somewhere else, check the userdefaults
        if let userID = UserDefaults.standard.string(forKey: "userID") {
            // move to main view
            performSegue(withIdentifier: "LoginToMainViewSegue", sender: userID)
        }
    }

    func moveToUserIfStillSignedIn() {
        if let userID = UserDefaults.standard.string(forKey: "userID") {

            // get the login status of Apple sign in for the app
            // asynchronous
            ASAuthorizationAppleIDProvider().getCredentialState(
                forUserID: userID,
                completion: {
                    credentialState, error in

                    switch credentialState {
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

    // MARK: Apple ID sign in status changes notification

    func observeRevocation() {
        // call the function appleIDStateRevoked if user revoke the sign in in Settings app
        revocation = NotificationCenter.default.addObserver(
            forName: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil, queue: nil
        ) { [weak self] _ in self?.appleIDStateRevoked() }
    }

    nonisolated func appleIDStateRevoked() {
        // log out user, change UI etc
        happenings.note(.loggedOut)
    }

    isolated deinit {
        if let revocation { NotificationCenter.default.removeObserver(revocation) }
    }
}

extension ViewController: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        // return the current view window
        return self.view.window!
    }
}

extension ViewController: ASAuthorizationControllerDelegate {
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
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
        default:
            print("Default")
        }
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {

        if let appleIDCredential = authorization.credential as? ASAuthorizationAppleIDCredential {
            // use the user credential / data to do stuff here ...
            happenings.note(.signedIn(user: appleIDCredential.user))
        }
    }
}
