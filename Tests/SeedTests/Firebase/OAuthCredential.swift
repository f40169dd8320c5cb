import AccountClient
import AuthenticationServices

/// A credential of one of the providers.
enum OAuthCredential: Sendable {
    case apple(AppleCredential)
    case email(address: String, password: String)
    /// In place of Apple's credential, which opens another account and can't be used twice.
    case updated(SignInHandle)
    /// A credential of a provider that the account service doesn't know.
    case unknown
}

/// The key of the credential to sign in with, in the error of a link of an Apple Account that opens another account.
let AuthErrorUserInfoUpdatedCredentialKey = "FIRAuthErrorUserInfoUpdatedCredentialKey"
