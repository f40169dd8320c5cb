/// Makes credentials of Facebook's OAuth access token, which the account service does not take: the token proves nothing about
/// who presents it. The service takes the identity token of Facebook's Limited Login.
enum FacebookAuthProvider {
    static func credential(withAccessToken accessToken: String) -> OAuthCredential { .unknown }
}

/// Makes credentials of an email address and a password.
enum EmailAuthProvider {
    static func credential(withEmail email: String, password: String) -> OAuthCredential {
        .email(address: email, password: password)
    }
}
