import AppleID
import AppleIDTypes

/// What is to become of the refresh token in an answer of Apple's that did not verify.
///
/// To revoke it ends all that Apple lets this service do for its person, so it has to be known whose it is, and that
/// the answer is Apple's. What binds a code to a person is the `c_hash` of the verified token beside it: then the
/// tokens for the code are that person's, whatever the token in the answer looks like.
enum UnverifiedAnswer: Sendable {
    /// It is the person's whom the token beside the code is about.
    case known(RefreshToken)
    /// Whose it is can be found out by the identity token beside it, when Apple's key can be had.
    case later(WaitingCode.Answer)
    /// Nobody can tell whose it is, or it may be somebody else's, whose authorization is not ours to end.
    case left

    /// Nil where Apple gave nothing.
    /// - Parameter isBound: whether the code was bound to a person by the identity token beside it.
    init?(_ error: AppleIDError, isBound: Bool) {
        guard let grant = error.cause as? UnverifiedGrant else { return nil }
        guard error.isAboutReading, let refreshToken = grant.refreshToken else {
            self = .left
            return
        }
        if isBound {
            self = .known(refreshToken)
        } else if error.leavesTokenUnverified, let identityToken = grant.identityToken {
            self = .later(
                WaitingCode.Answer(
                    identityToken: identityToken, accessToken: grant.accessToken?.rawValue,
                    refreshToken: refreshToken.rawValue))
        } else {
            self = .left
        }
    }
}

extension AppleIDError {
    /// Whether the token in the answer only could not be read, or not now, and nothing speaks against its being Apple's
    /// about the right person. Each code is decided about here, so that a new one does not compile before it is.
    fileprivate var isAboutReading: Bool {
        switch code.value {
        case .exchangeOutcomeUnknown, .unknownKey, .malformedToken, .tokenTooLarge, .malformedClaim, .subjectMissing,
            .notAnIdentityToken, .tokenExpired, .issuedInFuture:
            true
        // Not Apple's.
        case .unsupportedAlgorithm, .signatureInvalid,
            // Another person's, client's or request's, perhaps slipped in.
            .issuerMismatch, .audienceMismatch, .nonceMissing, .nonceMismatch, .subjectMismatch,
            .accessTokenHashMissing, .accessTokenHashMismatch, .codeHashMissing, .codeHashMismatch, .tokenReplayed:
            false
        // Of other calls, or without an answer of Apple's.
        case .keysUnavailable, .notANotification, .notificationTooOld, .malformedCallback, .invalidPrivateKey,
            .unknownClient, .invalidServerURL, .invalidAuthorizationRequest, .clientRejected, .grantRejected,
            .transferRejected, .migrationTokenExpired, .tokenMissing, .invalidTransfer, .replayUnknown,
            .appleUnavailable, .malformedAnswer:
            false
        }
    }

    /// Whether the token in the answer was not looked at, since something beside it cannot be read, or Apple's key for
    /// it could not be had, or not yet.
    fileprivate var leavesTokenUnverified: Bool { code == .unknownKey || code == .exchangeOutcomeUnknown }
}
