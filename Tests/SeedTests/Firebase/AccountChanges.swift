import AuthenticationServices

/// The guide's snippets on an account that is there: to reauthenticate, to link, to sign out.
@MainActor
struct AccountChanges {
    let appleIdToken: String
    let rawNonce: String
    /// The error that each completion was given.
    let errors = Happenings<NSError?>()

    // MARK: Reauthentication and account linking

    func reauthenticate() {
        // Initialize a fresh Apple credential with Firebase.
        let credential = OAuthProvider.credential(
            withProviderID: "apple.com",
            idToken: appleIdToken,
            rawNonce: rawNonce
        )
        // Reauthenticate current Apple user with fresh Apple credential.
        Auth.auth().currentUser?.reauthenticate(with: credential) { (authResult, error) in
            errors.note(error as NSError?)
            guard error == nil else { return }
            // Apple user successfully re-authenticated.
            // ...
        }
    }

    func link() {
        // Initialize a Facebook credential with Firebase.
        let credential = FacebookAuthProvider.credential(
            withAccessToken: AccessToken.current!.tokenString
        )
        // Assuming the current user is an Apple user linking a Facebook provider.
        Auth.auth().currentUser?.link(with: credential) { (authResult, error) in
            // Facebook credential is linked to the current Apple user.
            // The user can now sign in with Facebook or Apple to the same Firebase
            // account.
            // ...
            errors.note(error as NSError?)
        }
    }

    /// The guide has no code for this: it tells where the credential is that works after a conflict.
    func linkApple() {
        let credential = OAuthProvider.credential(
            withProviderID: "apple.com", idToken: appleIdToken, rawNonce: rawNonce)
        Auth.auth().currentUser?.link(with: credential) { (authResult, error) in
            errors.note(error as NSError?)
            guard let error = error as NSError?,
                let updated = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential
            else { return }
            Auth.auth().signIn(with: updated) { (authResult, error) in
                errors.note(error as NSError?)
            }
        }
    }

    // MARK: Next steps

    func signOut() {
        let firebaseAuth = Auth.auth()
        do {
            try firebaseAuth.signOut()
        } catch let signOutError as NSError {
            print("Error signing out: %@", signOutError)
        }
    }
}
