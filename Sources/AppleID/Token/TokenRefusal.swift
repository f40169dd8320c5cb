import AppleIDTypes
import StrictJSON

/// What an answer of the token endpoint other than 200 means (Apple's "ErrorResponse" and TN3107, which say 400 for all).
///
/// Only a dead grant may ever end somebody's session, and only Apple's own word makes a grant dead: pages of its edge,
/// overload and words that nobody knows are all taken for a passing failure.
enum TokenRefusal {
    static func error(for response: AppleResponse) -> AppleIDError {
        guard (400..<500).contains(response.status), response.status != 429, let code = code(in: response.body) else {
            return AppleIDError(.appleUnavailable, "Apple's token endpoint answered with \(response.status)")
        }
        switch code {
        case .invalidGrant:
            return AppleIDError(
                .grantRejected, "Apple says invalid_grant: the code is expired, used or another client's")
        case .invalidClient, .unauthorizedClient, .unsupportedGrantType, .invalidScope:
            return AppleIDError(.clientRejected, "Apple says \(code): check client, team, key and redirect URI")
        case .invalidRequest:
            // With a refresh token it would mean a withdrawn consent; a code has no consent yet that could be withdrawn.
            return AppleIDError(
                .clientRejected, "Apple says invalid_request: check the redirect URI and the code verifier")
        default:
            return AppleIDError(.malformedAnswer, "Apple's token endpoint refused with a word that is not known")
        }
    }

    /// Further members, which Apple does send, are of no interest, whatever they hold.
    private static func code(in body: [UInt8]) -> AppleErrorCode? {
        do {
            return try JSONDocument(body).root["error"]?.string.map { AppleErrorCode($0) }
        } catch {
            // A page of the edge instead of an answer: the caller says so.
            return nil
        }
    }
}
