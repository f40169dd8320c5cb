import AccountAPI
import HTTPTypes
import Logging

/// How the service answers with an error code.
struct ErrorAnswer {
    let status: HTTPResponse.Status
    /// The level of the request's line in the log. An operator must see `warning` and `error`.
    let level: Logger.Level
    /// The page that a browser gets.
    let page: FailurePage

    init(_ status: HTTPResponse.Status, _ level: Logger.Level, _ page: FailurePage) {
        self.status = status
        self.level = level
        self.page = page
    }
}

extension ErrorCode.Known {
    var status: HTTPResponse.Status { answer.status }

    /// The status, the level and the page of each code.
    ///
    /// A request that cannot be read is 400. A credential that can be read but proves nothing is 401, so that the client
    /// knows that another sign-in or a refresh may help. A failure of Apple's is 502 or 503. There is no `default`: a new
    /// code does not compile before it has its row.
    var answer: ErrorAnswer {
        switch self {
        // The request itself
        case .invalidRequest: ErrorAnswer(.badRequest, .info, .unreadable)
        case .malformedJSON: ErrorAnswer(.badRequest, .info, .unreadable)
        case .malformedForm: ErrorAnswer(.badRequest, .info, .unreadable)
        case .badRequest: ErrorAnswer(.badRequest, .info, .unreadable)
        case .crossSiteRequest: ErrorAnswer(.forbidden, .info, .crossSite)
        case .notFound: ErrorAnswer(.notFound, .info, .pageNotFound)
        case .methodNotAllowed: ErrorAnswer(.methodNotAllowed, .info, .unreadable)
        case .requestTimeout: ErrorAnswer(.requestTimeout, .info, .unreadable)
        case .bodyTooLarge: ErrorAnswer(.contentTooLarge, .info, .unreadable)
        case .uriTooLong: ErrorAnswer(.uriTooLong, .info, .unreadable)
        case .unsupportedMediaType: ErrorAnswer(.unsupportedMediaType, .info, .unreadable)
        // The session
        case .accessTokenMissing: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .accessTokenInvalid: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .accessTokenExpired: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .sessionEnded: ErrorAnswer(.unauthorized, .info, .signedOut)
        case .refreshTokenInvalid: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .accountDisabled: ErrorAnswer(.forbidden, .info, .accountDisabled)
        case .sessionUnknown: ErrorAnswer(.notFound, .info, .sessionUnknown)
        case .refreshTokenReused: ErrorAnswer(.unauthorized, .info, .signInFailed)
        // The credential of a sign-in
        case .malformedToken: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .tokenTooLarge: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .malformedClaim: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .unsupportedAlgorithm: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .unknownKey: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .signatureInvalid: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .issuerMismatch: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .audienceMismatch: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .tokenExpired: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .tokenTooOld: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .issuedInFuture: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .subjectMissing: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .notAnIdentityToken: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .notANotification: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .nonceMissing: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .nonceMismatch: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .nonceInvalid: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .challengeInvalid: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .codeHashMissing: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .codeHashMismatch: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .accessTokenHashMissing: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .accessTokenHashMismatch: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .tokenAlreadyUsed: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .nonceAlreadyUsed: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .challengeAlreadyUsed: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .codeAlreadyUsed: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .codeMissing: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .grantRejected: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .identityMismatch: ErrorAnswer(.unauthorized, .info, .signInFailed)
        case .transferNotCompleted: ErrorAnswer(.forbidden, .info, .accountMoving)
        // Proving again who one is
        case .credentialMismatch: ErrorAnswer(.forbidden, .info, .otherAppleAccount)
        case .requiresRecentLogin: ErrorAnswer(.forbidden, .info, .proofNeeded)
        // The profile and consent
        case .consentRequired: ErrorAnswer(.conflict, .info, .consentNeeded)
        case .consentUnknown: ErrorAnswer(.notFound, .info, .consentUnknown)
        case .consentTextUnknown: ErrorAnswer(.notFound, .info, .pageNotFound)
        case .mailNotConfigured: ErrorAnswer(.notImplemented, .info, .noMail)
        case .linkUnknown: ErrorAnswer(.notFound, .info, .linkUnknown)
        case .linkOfAnotherAccount: ErrorAnswer(.forbidden, .info, .linkOfAnotherAccount)
        // Passwords
        case .wrongCredentials: ErrorAnswer(.unauthorized, .info, .wrongCredentials)
        case .passwordRefused: ErrorAnswer(.badRequest, .info, .passwordRefused)
        case .passwordsOff: ErrorAnswer(.notFound, .info, .pageNotFound)
        case .tooBusy: ErrorAnswer(.serviceUnavailable, .warning, .tooBusy)
        case .emailNeeded: ErrorAnswer(.conflict, .info, .emailNeeded)
        case .notByPassword: ErrorAnswer(.conflict, .info, .notByPassword)
        case .credentialAlreadyInUse: ErrorAnswer(.conflict, .info, .appleAccountInUse)
        // Several ways in
        case .identityUnknown: ErrorAnswer(.notFound, .info, .wayInUnknown)
        case .lastWayIn: ErrorAnswer(.conflict, .info, .lastWayIn)
        case .alreadyLinked: ErrorAnswer(.conflict, .info, .alreadyLinked)
        // Other providers than Apple
        case .unknownProvider: ErrorAnswer(.notFound, .info, .pageNotFound)
        case .invalidProviderToken: ErrorAnswer(.unauthorized, .info, .providerFailed)
        case .signInAgain: ErrorAnswer(.badRequest, .info, .providerFailed)
        case .providerUnavailable: ErrorAnswer(.serviceUnavailable, .warning, .providerUnreachable)
        case .providerRefusedClient: ErrorAnswer(.badGateway, .error, .ourFault)
        case .mergeChanged: ErrorAnswer(.conflict, .info, .mergeChanged)
        case .accountMerged: ErrorAnswer(.gone, .info, .accountMerged)
        // The end of an account
        case .deletionUnknown: ErrorAnswer(.notFound, .info, .deletionUnknown)
        // The web flow, on pages only
        case .malformedCallback: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .attemptUnknown: ErrorAnswer(.badRequest, .info, .attemptOver)
        case .attemptExpired: ErrorAnswer(.badRequest, .info, .attemptOver)
        case .browserMismatch: ErrorAnswer(.forbidden, .info, .otherBrowser)
        case .browserCookieMissing: ErrorAnswer(.badRequest, .info, .cookiesBlocked)
        case .cancelled: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .identityTokenMissing: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .refusedByApple: ErrorAnswer(.badRequest, .info, .signInFailed)
        // The authorization that an app without Apple's framework begins
        case .appUnknown: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .redirectURIMismatch: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .authorizationUnknown: ErrorAnswer(.badRequest, .info, .authorizationOver)
        case .authorizationPending: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .slowDown: ErrorAnswer(.badRequest, .info, .signInFailed)
        case .expired: ErrorAnswer(.badRequest, .info, .authorizationOver)
        case .denied: ErrorAnswer(.forbidden, .info, .signInFailed)
        case .handleInvalid: ErrorAnswer(.unauthorized, .info, .conflictOver)
        case .rateLimited: ErrorAnswer(.tooManyRequests, .info, .tooManyAttempts)
        // This server and Apple
        case .internal: ErrorAnswer(.internalServerError, .error, .ourFault)
        case .configuration: ErrorAnswer(.serviceUnavailable, .error, .ourFault)
        case .unavailable: ErrorAnswer(.serviceUnavailable, .warning, .ourFault)
        case .keysUnavailable: ErrorAnswer(.serviceUnavailable, .warning, .appleUnreachable)
        case .appleUnavailable: ErrorAnswer(.serviceUnavailable, .warning, .appleUnreachable)
        case .appleMalformedAnswer: ErrorAnswer(.badGateway, .warning, .appleUnreachable)
        case .appleConfiguration: ErrorAnswer(.badGateway, .error, .ourFault)
        }
    }
}
