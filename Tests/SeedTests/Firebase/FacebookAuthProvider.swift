import AccountClient
import AuthenticationServices

/// Stands for another provider's, which the account service does not know.
enum FacebookAuthProvider {
    static func credential(withAccessToken accessToken: String) -> OAuthCredential {
        OAuthCredential(
            apple: AppleCredential(user: "", identityToken: nil, authorizationCode: accessToken, nonce: nil))
    }
}
