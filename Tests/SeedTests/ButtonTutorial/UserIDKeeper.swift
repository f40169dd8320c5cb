import AuthenticationServices

/// The tutorial's delegate that remembers who has signed in.
@MainActor
final class UserIDKeeper: NSObject, ASAuthorizationControllerDelegate {
    /// Stands before Foundation's in this class.
    @MainActor
    enum UserDefaults {
        static let standard = SeedDefaults.own
    }

    nonisolated let happenings = Happenings<String>()

    // successful login
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {

        if let appleIDCredential = authorization.credential as? ASAuthorizationAppleIDCredential {
            // unique ID for the user
            let userID = appleIDCredential.user

            // save it to user defaults
            UserDefaults.standard.set(userID, forKey: "userID")
            happenings.note(userID)
        }
    }
}
