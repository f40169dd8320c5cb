import AuthenticationServices
import AuthenticationServicesTesting

/// The guide's second view controller, which deletes the account: its snippets, in a class that is none.
@MainActor
final class DeletionViewController: NSObject {
    enum Event: Sendable, Equatable {
        case updated
        case displayed(NSError)
    }

    nonisolated let happenings = Happenings<Event>()
    let view = HeadlessView()

    init(user: User?) {
        self.user = user
    }

    func updateUI() {
        happenings.note(.updated)
    }

    func displayError(_ error: Error) {
        happenings.note(.displayed(error as NSError))
    }

    // MARK: Token revocation, step 2

    private var currentNonce: String?

    // `private` in the guide; the test calls it.
    func deleteCurrentUser() {
        do {
            let nonce = try CryptoUtils.randomNonceString()
            currentNonce = nonce
            let appleIDProvider = ASAuthorizationAppleIDProvider()
            let request = appleIDProvider.createRequest()
            request.requestedScopes = [.fullName, .email]
            request.nonce = CryptoUtils.sha256(nonce)

            let authorizationController = ASAuthorizationController(authorizationRequests: [request])
            authorizationController.delegate = self
            authorizationController.presentationContextProvider = self
            authorizationController.performRequests()
        } catch {
            // In the unlikely case that nonce generation fails, show error view.
            displayError(error)
        }
    }

    // MARK: Token revocation, step 3

    private var user: User?
}

extension DeletionViewController: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        guard let appleIDCredential = authorization.credential as? ASAuthorizationAppleIDCredential
        else {
            print("Unable to retrieve AppleIDCredential")
            return
        }

        guard let _ = currentNonce else {
            fatalError("Invalid state: A login callback was received, but no login request was sent.")
        }

        guard let appleAuthCode = appleIDCredential.authorizationCode else {
            print("Unable to fetch authorization code")
            return
        }

        guard let authCodeString = String(data: appleAuthCode, encoding: .utf8) else {
            print("Unable to serialize auth code string from data: \(appleAuthCode.debugDescription)")
            return
        }

        Task {
            do {
                try await Auth.auth().revokeToken(withAuthorizationCode: authCodeString)
                try await user?.delete()
                self.updateUI()
            } catch {
                self.displayError(error)
            }
        }
    }
}

extension DeletionViewController: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        return view.window!
    }
}
