import AuthenticationServices
import AuthenticationServicesTesting

/// The guide's view with both closures filled as it goes on to show.
@MainActor
struct SignInView {
    enum Event: Sendable, Equatable {
        case read(UserData)
        case failed(ASAuthorizationError.Code?)
    }

    struct UserData: Sendable, Equatable {
        var userId: String
        var identityToken: Data?
        var authCode: Data?
        var email: String?
        var givenName: String?
        var familyName: String?
        var state: String?
    }

    let happenings = Happenings<Event>()
    let myNonceString: () -> String
    let myStateString: () -> String

    var button: SignInWithAppleButton {
        SignInWithAppleButton(
            .signIn,
            // MARK: Request Authorization with Apple ID
            onRequest: { (request) in  //2
                request.requestedScopes = [.fullName, .email]
                request.nonce = myNonceString()
                request.state = myStateString()
            },
            // MARK: How do we get this data?
            onCompletion: { (result) in
                switch result {
                case .success(let authorization):
                    //Handle autorization
                    if let appleIDCredential = authorization.credential as? ASAuthorizationAppleIDCredential {
                        let userId = appleIDCredential.user
                        let identityToken = appleIDCredential.identityToken
                        let authCode = appleIDCredential.authorizationCode
                        let email = appleIDCredential.email
                        let givenName = appleIDCredential.fullName?.givenName
                        let familyName = appleIDCredential.fullName?.familyName
                        let state = appleIDCredential.state
                        // Here you have to send the data to the backend and according to the response let the user get into the app.
                        happenings.note(
                            .read(
                                UserData(
                                    userId: userId, identityToken: identityToken, authCode: authCode, email: email,
                                    givenName: givenName, familyName: familyName, state: state)))
                    }
                    break
                case .failure(let error):
                    //Handle error
                    happenings.note(.failed((error as? ASAuthorizationError)?.code))
                    break
                }
            }
        )
    }
}
