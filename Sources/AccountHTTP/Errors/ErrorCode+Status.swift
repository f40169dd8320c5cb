import AccountAPI
import HTTPTypes

extension ErrorCode {
    /// The one status that goes with the code.
    ///
    /// What cannot be read is 400; what can be read but proves nothing is 401, so that a client knows that another
    /// sign-in or refresh may help; what Apple fails at is 502 or 503.
    var status: HTTPResponse.Status {
        switch self {
        case .crossSiteRequest, .browserMismatch, .denied, .accountDisabled, .credentialMismatch, .requiresRecentLogin,
            .transferNotCompleted:
            .forbidden
        case .notFound, .sessionUnknown, .deletionUnknown: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .requestTimeout: .requestTimeout
        case .bodyTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .unsupportedMediaType: .unsupportedMediaType
        case .accessTokenMissing, .accessTokenInvalid, .accessTokenExpired, .sessionEnded, .refreshTokenInvalid,
            .refreshTokenReused:
            .unauthorized
        case .unsupportedAlgorithm, .unknownKey, .signatureInvalid, .issuerMismatch, .audienceMismatch, .tokenExpired,
            .tokenTooOld, .issuedInFuture, .subjectMissing, .notAnIdentityToken, .notANotification, .nonceMissing,
            .nonceMismatch,
            .challengeInvalid, .codeHashMissing, .codeHashMismatch, .accessTokenHashMissing, .accessTokenHashMismatch,
            .tokenAlreadyUsed, .nonceAlreadyUsed, .challengeAlreadyUsed, .codeAlreadyUsed, .grantRejected,
            .identityMismatch, .handleInvalid:
            .unauthorized
        case .rateLimited: .tooManyRequests
        case .internal: .internalServerError
        case .appleMalformedAnswer, .appleConfiguration: .badGateway
        case .configuration, .unavailable, .keysUnavailable, .appleUnavailable: .serviceUnavailable
        default: .badRequest
        }
    }
}
