import AccountAPI
import AppleID

extension HTTPFailure {
    /// What is about the credential keeps its word; what is about Apple or this server's standing with Apple is 502 or
    /// 503 and says no more. Each code is decided about here, so that a new one does not compile before it is.
    init(_ error: AppleIDError) {
        switch error.code.value {
        case .keysUnavailable:
            self.init(.keysUnavailable, "Apple's public keys cannot be had now. Try again.", cause: error)
        case .audienceMismatch:
            // The reason lists this service's clients, which is nothing for strangers.
            self.init(.audienceMismatch, "The identity token is for another app or website.", cause: error)
        case .malformedAnswer:
            self.init(.appleMalformedAnswer, "Apple gave an answer that makes no sense.", cause: error)
        case .exchangeOutcomeUnknown:
            // The client is told what happened at Apple's end. Its next sign-in brings another code.
            let isMalformed = error.isOfMalformedAnswer
            self.init(
                isMalformed ? .appleMalformedAnswer : .appleUnavailable,
                isMalformed
                    ? "Apple gave an answer that makes no sense." : "Apple does not answer now. Sign in again.",
                cause: error)
        case .appleUnavailable, .replayUnknown:
            self.init(.appleUnavailable, "Apple does not answer now. Try again.", cause: error)
        case .invalidPrivateKey, .unknownClient, .invalidServerURL, .invalidAuthorizationRequest, .clientRejected,
            .invalidTransfer, .transferRejected, .migrationTokenExpired, .tokenMissing:
            self.init(.appleConfiguration, "Apple does not accept this service's configuration.", cause: error)
        case .malformedToken: self.init(.malformedToken, saying: error)
        case .notANotification: self.init(.notANotification, saying: error)
        case .notificationTooOld: self.init(.tokenTooOld, saying: error)
        case .tokenTooLarge: self.init(.tokenTooLarge, saying: error)
        case .unsupportedAlgorithm: self.init(.unsupportedAlgorithm, saying: error)
        case .unknownKey: self.init(.unknownKey, saying: error)
        case .signatureInvalid: self.init(.signatureInvalid, saying: error)
        case .issuerMismatch: self.init(.issuerMismatch, saying: error)
        case .tokenExpired: self.init(.tokenExpired, saying: error)
        case .issuedInFuture: self.init(.issuedInFuture, saying: error)
        case .subjectMissing: self.init(.subjectMissing, saying: error)
        case .subjectMismatch: self.init(.identityMismatch, saying: error)
        case .notAnIdentityToken: self.init(.notAnIdentityToken, saying: error)
        case .malformedClaim: self.init(.malformedClaim, saying: error)
        case .nonceMissing: self.init(.nonceMissing, saying: error)
        case .nonceMismatch: self.init(.nonceMismatch, saying: error)
        case .codeHashMissing: self.init(.codeHashMissing, saying: error)
        case .codeHashMismatch: self.init(.codeHashMismatch, saying: error)
        case .accessTokenHashMissing: self.init(.accessTokenHashMissing, saying: error)
        case .accessTokenHashMismatch: self.init(.accessTokenHashMismatch, saying: error)
        case .malformedCallback: self.init(.malformedCallback, saying: error)
        case .grantRejected: self.init(.grantRejected, saying: error)
        case .tokenReplayed: self.init(.tokenAlreadyUsed, saying: error)
        }
    }

    private init(_ code: ErrorCode, saying error: AppleIDError) {
        self.init(code, error.reason.asSentence, cause: error)
    }
}
