import AccountClient
import AuthenticationServices

/// A credential of one of the providers.
struct OAuthCredential: Sendable {
    let apple: AppleCredential
}
