import AccountClient
import AuthenticationServices

/// Firebase's codes, as far as the guide names them, and one of the adapter's own.
enum AuthErrorCode: Int {
    case userNotFound = 17011
    case requiresRecentLogin = 17014
    case networkError = 17020
    case userMismatch = 17024
    case missingOrInvalidNonce = 17094
    case invalidCredential = 17004
    case operationNotAllowed = 17006
    case noSuchProvider = 17016
    case credentialAlreadyInUse = 17025
    /// No code of Firebase's: the account service wants to know that the person agrees.
    case consentRequired = 1

    /// An `NSError`, as everything of Firebase's is.
    var error: NSError { error(with: nil) }

    /// - Parameter updated: the credential to sign in with after a conflict.
    private func error(with updated: OAuthCredential?) -> NSError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        userInfo[AuthErrorUserInfoUpdatedCredentialKey] = updated
        return NSError(domain: "FIRAuthErrorDomain", code: rawValue, userInfo: userInfo)
    }

    static func error(for error: Error) -> NSError {
        guard let error = error as? AccountClientError else { return error as NSError }
        switch error.code {
        case .refused(.nonceMismatch), .refused(.nonceMissing), .refused(.challengeInvalid):
            return missingOrInvalidNonce.error
        case .refused(.requiresRecentLogin): return requiresRecentLogin.error
        case .refused(.credentialMismatch): return userMismatch.error
        case .refused(.credentialAlreadyInUse):
            return credentialAlreadyInUse.error(with: error.signInHandle.map { .updated($0) })
        case .refused(.consentRequired): return consentRequired.error
        case .backendUnavailable: return networkError.error
        default: return invalidCredential.error
        }
    }

    private var description: String {
        switch self {
        case .userNotFound: "There is no user."
        case .requiresRecentLogin: "The person has to sign in again before."
        case .userMismatch: "The credential is another person's."
        case .networkError: "The account service could not be reached."
        case .missingOrInvalidNonce: "The nonce is not the one in the identity token."
        case .invalidCredential: "The account service refused the credential."
        case .operationNotAllowed: "The account service knows no such provider."
        case .noSuchProvider: "The person has no way in of this provider."
        case .credentialAlreadyInUse: "The credential opens another account."
        case .consentRequired: "The person has to agree before."
        }
    }
}
