import AccountAPI
import AppleID

extension HTTPFailure {
    /// What is about the credential keeps its word; what is about Apple or this server's standing with Apple is 502 or
    /// 503 and says no more. Nil for what no request should ever meet.
    init?(_ error: AppleIDError) {
        switch error.code {
        case .keysUnavailable:
            self.init(.keysUnavailable, "Apple's public keys cannot be had now. Try again.", cause: error)
        case .audienceMismatch:
            // The reason lists this service's clients, which is nothing for strangers.
            self.init(.audienceMismatch, "The identity token is for another app or website.", cause: error)
        case .malformedAnswer:
            self.init(.appleMalformedAnswer, "Apple gave an answer that makes no sense.", cause: error)
        case _ where error.kind == .transient:
            self.init(.appleUnavailable, "Apple does not answer now. Try again.", cause: error)
        case _ where error.kind == .configuration:
            self.init(.appleConfiguration, "Apple does not accept this service's configuration.", cause: error)
        default:
            guard let code = Self.codes[error.code] else { return nil }
            self.init(code, error.reason.asSentence, cause: error)
        }
    }

    private static let codes: [AppleIDError.Code: ErrorCode] = [
        .malformedToken: .malformedToken,
        .tokenTooLarge: .tokenTooLarge,
        .unsupportedAlgorithm: .unsupportedAlgorithm,
        .unknownKey: .unknownKey,
        .signatureInvalid: .signatureInvalid,
        .issuerMismatch: .issuerMismatch,
        .tokenExpired: .tokenExpired,
        .issuedInFuture: .issuedInFuture,
        .subjectMissing: .subjectMissing,
        .notAnIdentityToken: .notAnIdentityToken,
        .malformedClaim: .malformedClaim,
        .nonceMissing: .nonceMissing,
        .nonceMismatch: .nonceMismatch,
        .codeHashMissing: .codeHashMissing,
        .codeHashMismatch: .codeHashMismatch,
        .accessTokenHashMissing: .accessTokenHashMissing,
        .accessTokenHashMismatch: .accessTokenHashMismatch,
        .malformedCallback: .malformedCallback,
        .grantRejected: .grantRejected,
    ]
}
