import AppleIDTypes
import StrictJSON

/// What an answer other than 200 means (Apple's "ErrorResponse" and TN3107, which say 400 for all).
///
/// Only a dead grant may ever end somebody's session, and only Apple's own word makes a grant dead: pages of its edge,
/// overload and words that nobody knows are all taken for a passing failure.
enum TokenRefusal {
    static func error(for response: AppleResponse, to call: AppleCall) -> AppleIDError {
        guard (400..<500).contains(response.status), response.status != 429, let (word, detail) = read(response.body)
        else {
            return AppleIDError(.appleUnavailable, "Apple answered with status \(response.status)")
        }
        // Apple says these with 400 only; with another status they are the word of something that stands before Apple.
        if response.status != 400, word == .invalidGrant || word == .invalidRequest {
            return AppleIDError(.appleUnavailable, "Apple answered with status \(response.status)")
        }
        let cause = AppleRefusal(status: response.status, word: word, detail: detail)
        switch (word, call) {
        case (.invalidGrant, .exchange):
            return AppleIDError(
                .grantRejected,
                "Apple says invalid_grant: the code is expired, used or another client's, or its redirect URI differs",
                cause: cause)
        case (.invalidGrant, .refresh), (.invalidGrant, .revocation):
            return AppleIDError(
                .grantRejected, "Apple says invalid_grant: the token is dead or another client's", cause: cause)
        case (.invalidRequest, .refresh):
            // TN3107: so Apple also calls a consent that was withdrawn. Nothing else is left that it could mean, since
            // this library writes the form of every refresh alike.
            return AppleIDError(
                .grantRejected, "Apple says invalid_request: the person has withdrawn the authorization", cause: cause)
        case (.invalidRequest, .migration), (.invalidGrant, .migration):
            return AppleIDError(
                .transferRejected,
                "Apple says \(word): the person has withdrawn the authorization, the subject is not theirs, "
                    + "or the app is not being transferred now", cause: cause)
        case (.invalidRequest, .exchange):
            // With a refresh token it would mean a withdrawn consent; a code has no consent yet that could be
            // withdrawn.
            return AppleIDError(
                .clientRejected, "Apple says invalid_request: check the code verifier", cause: cause)
        case (.invalidRequest, .revocation):
            // A token that is dead already is answered with 200 (Apple's "Revoke tokens"), so that a withdrawn
            // authorization cannot be meant; what is left is a token that is not of the kind it is called (TN3107).
            return AppleIDError(
                .clientRejected, "Apple says invalid_request: check that a refresh token is revoked as one",
                cause: cause)
        case (.invalidClient, _), (.unauthorizedClient, _), (.unsupportedGrantType, _), (.invalidScope, _),
            (.invalidRequest, _), (.invalidGrant, _):
            return AppleIDError(
                .clientRejected, "Apple says \(word): check client, team and key", cause: cause)
        default:
            return AppleIDError(.malformedAnswer, "Apple refused with a word that is not known")
        }
    }

    /// Further members, which Apple does send, are of no interest, whatever they hold.
    private static func read(_ body: [UInt8]) -> (AppleErrorCode, detail: String?)? {
        do {
            let root = try JSONDocument(body).root
            guard let word = root["error"]?.string else { return nil }
            return (AppleErrorCode(word), root["error_description"]?.string?.quotedForPeople)
        } catch {
            // A page of the edge instead of an answer: the caller says so.
            return nil
        }
    }
}
