import AuthenticationServices

/// The tutorial's "few examples of user data": a delegate that reads all of it.
@MainActor
final class UserDataReader: NSObject, ASAuthorizationControllerDelegate {
    struct UserData: Sendable, Equatable {
        var userID: String
        var email: String?
        var givenName: String?
        var familyName: String?
        var nickName: String?
        var identityToken: String?
        var authorizationCode: String?
    }

    nonisolated let happenings = Happenings<UserData>()

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {

        if let appleIDCredential = authorization.credential as? ASAuthorizationAppleIDCredential {
            // unique ID for each user, this uniqueID will always be returned
            let userID = appleIDCredential.user

            // optional, might be nil
            let email = appleIDCredential.email

            // optional, might be nil
            let givenName = appleIDCredential.fullName?.givenName

            // optional, might be nil
            let familyName = appleIDCredential.fullName?.familyName

            // optional, might be nil
            let nickName = appleIDCredential.fullName?.nickname

            // useful for server side, the app can send identityToken and authorizationCode
            // to the server for verification purpose
            var identityToken: String?
            if let token = appleIDCredential.identityToken {
                identityToken = String(bytes: token, encoding: .utf8)
            }

            var authorizationCode: String?
            if let code = appleIDCredential.authorizationCode {
                authorizationCode = String(bytes: code, encoding: .utf8)
            }

            // do what you want with the data here
            happenings.note(
                UserData(
                    userID: userID, email: email, givenName: givenName, familyName: familyName, nickName: nickName,
                    identityToken: identityToken, authorizationCode: authorizationCode))
        }
    }
}
