// swift-format-ignore-file
// The SwiftUI guide, as it is printed. What the text leaves to the reader stands at the end.

import AuthenticationServices
import SwiftUI

struct SignInView: View {
    var body: some View {
        VStack {
            SignInWithAppleButton(.signIn,              //1
                  onRequest: { (request) in             //2
                    //Set up request
                  },
                  onCompletion: { (result) in           //3
                    switch result {
                    case .success(let authorization):
                        //Handle autorization
                        break
                    case .failure(let error):
                        //Handle error
                        break
                    }
                  })
        }.signInWithAppleButtonStyle(.black)            //4
    }
}

struct RequestingView: View {
    var body: some View {
        SignInWithAppleButton(.signIn,
            onRequest: { (request) in  //2           
                request.requestedScopes = [.fullName, .email]
                request.nonce = myNonceString()               
                request.state = myStateString()
             },
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
                    }
                    break
                case .failure(let error):
                    //Handle error
                    break
                }
            }
        )
    }
}

class RevocationObserver: NSObject {
    let userIdentifier = ""

    func observe() {
        NotificationCenter.default.addObserver(self, selector: #selector(appleIDCredentialRevoked(_:)), name: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil)
    }

    // ASAuthorizationAppleIDProvider.credentialRevokedNotification handler
    @objc func appleIDCredentialRevoked(_ notification: Notification) {
        let appleIDProvider = ASAuthorizationAppleIDProvider()
        appleIDProvider.getCredentialState(forUserID: userIdentifier) { (credentialState, error) in
            switch credentialState {
            case .authorized:
                // The Apple ID credential is valid.
                break
            case .revoked:
                // The Apple ID credential is revoked. Sign out.
                break
            case .notFound:
                // No credential was found. Show login UI.
                break
            case .transferred:
                // The application was transferred from one development team to another.
                // You can use the same code used to authenticate the user adding the locally saved user identifier in the request.
                break  // not printed: a case needs a statement
            default:
                break
            }
        }
    }
}

func myNonceString() -> String { "" }
func myStateString() -> String { "" }
