/// Stands for another provider's, which the account service does not know.
enum FacebookAuthProvider {
    static func credential(withAccessToken accessToken: String) -> OAuthCredential { .unknown }
}

/// Makes credentials of an email address and a password.
enum EmailAuthProvider {
    static func credential(withEmail email: String, password: String) -> OAuthCredential {
        .email(address: email, password: password)
    }
}
