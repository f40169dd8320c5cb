import AccountClient
import AuthenticationServices

/// What one of the providers vouches for.
struct OAuthCredential: Sendable {
    let apple: AppleCredential
}
