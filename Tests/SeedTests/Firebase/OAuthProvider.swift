import AccountClient
import AuthenticationServices

/// Makes credentials from what Apple has answered.
enum OAuthProvider {
    /// Firebase takes no user beside the token.
    static func appleCredential(
        withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
    ) -> OAuthCredential {
        .apple(
            AppleCredential(
                user: IdentityTokenText(idToken).subject, identityToken: idToken, authorizationCode: nil,
                nonce: rawNonce,
                fullName: fullName))
    }

    static func credential(withProviderID provider: String, idToken: String, rawNonce: String) -> OAuthCredential {
        precondition(provider == "apple.com")
        return appleCredential(withIDToken: idToken, rawNonce: rawNonce, fullName: nil)
    }
}
