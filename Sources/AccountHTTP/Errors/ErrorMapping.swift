import AccountAPI
import AccountService
import AppleID
import HTTPTypes
import Hummingbird
import OpenIDConnect
import StrictJSON

// How each error that reaches the edge becomes an error code with its words. The switches over codes have no `default`:
// a new code does not compile before it has its row. ``ErrorAnswer`` has the status, the page and the log's level.

extension HTTPFailure {
    /// Any error. One that nobody expected is `internal`, and its answer tells nothing about it.
    init(of error: any Error) {
        switch error {
        case let error as HTTPFailure: self = error
        case let error as AccountError: self.init(error)
        case let error as AppleIDError: self.init(error)
        case let error as OpenIDConnectError: self.init(error)
        case let error as StrictJSONError: self.init(error)
        case let error as DecodingError: self.init(error)
        case is CancellationError: self.init(.unavailable, "The service is shutting down.", cause: error)
        case let error as any HTTPResponseError: self.init(error)
        default: self.init(unexpected: error)
        }
    }

    private init(unexpected error: any Error) {
        self.init(.internal, "Something went wrong in this service.", cause: error)
    }

    /// A reason as the domain writes it, with a capital letter and a full stop.
    private static func sentence(_ reason: String) -> String {
        reason.prefix(1).uppercased() + reason.dropFirst() + (reason.hasSuffix(".") ? "" : ".")
    }
}

// MARK: The domain

extension HTTPFailure {
    private init(_ error: AccountError) {
        switch error.code.value {
        case .accountDisabled: self.init(.accountDisabled, saying: error)
        case .appUnknown: self.init(.appUnknown, saying: error)
        case .attemptUnknown: self.init(.attemptUnknown, saying: error)
        case .attemptExpired: self.init(.attemptExpired, saying: error)
        case .authorizationDenied: self.init(.denied, saying: error)
        case .authorizationExpired: self.init(.expired, saying: error)
        case .authorizationPending: self.init(.authorizationPending, saying: error)
        case .authorizationUnknown: self.init(.authorizationUnknown, saying: error)
        case .browserMismatch: self.init(.browserMismatch, saying: error)
        case .cancelled: self.init(.cancelled, saying: error)
        case .challengeInvalid: self.init(.challengeInvalid, saying: error)
        case .codeMissing: self.init(.codeMissing, saying: error)
        case .handleInvalid: self.init(.handleInvalid, saying: error)
        case .identityMismatch: self.init(.identityMismatch, saying: error)
        case .identityTokenMissing: self.init(.identityTokenMissing, saying: error)
        case .nonceInvalid: self.init(.nonceInvalid, saying: error)
        case .returnTargetMismatch: self.init(.redirectURIMismatch, saying: error)
        case .slowDown: self.init(.slowDown, saying: error)
        case .refreshTokenInvalid: self.init(.refreshTokenInvalid, saying: error)
        case .refreshTokenReused: self.init(.refreshTokenReused, saying: error)
        case .sessionEnded: self.init(.sessionEnded, saying: error)
        case .sessionUnknown: self.init(.sessionUnknown, saying: error)
        case .accessTokenExpired: self.init(.accessTokenExpired, saying: error)
        case .tokenInvalid: self.init(.accessTokenInvalid, saying: error)
        case .tokenTooOld: self.init(.tokenTooOld, saying: error)
        case .transferNotCompleted: self.init(.transferNotCompleted, saying: error)
        case .credentialMismatch: self.init(.credentialMismatch, saying: error)
        case .deletionUnknown: self.init(.deletionUnknown, saying: error)
        case .requiresRecentLogin: self.init(.requiresRecentLogin, saying: error)
        case .consentRequired:
            self.init(
                .consentRequired, Self.sentence(error.reason),
                details: error.consent.map { .consentRequired(RequiredConsent($0)) }, cause: error)
        case .consentUnknown: self.init(.consentUnknown, saying: error)
        case .consentTextUnknown: self.init(.consentTextUnknown, saying: error)
        case .mailNotConfigured: self.init(.mailNotConfigured, saying: error)
        case .linkUnknown: self.init(.linkUnknown, saying: error)
        case .linkOfAnotherAccount: self.init(.linkOfAnotherAccount, saying: error)
        case .wrongCredentials: self.init(.wrongCredentials, saying: error)
        case .passwordRefused:
            self.init(
                .passwordRefused, Self.sentence(error.reason),
                details: error.refusal.map { .passwordRefused(PasswordRefusal($0)) }, cause: error)
        case .passwordsOff: self.init(.passwordsOff, saying: error)
        case .emailNeeded: self.init(.emailNeeded, saying: error)
        case .notByPassword: self.init(.notByPassword, saying: error)
        case .credentialAlreadyInUse:
            self.init(
                .credentialAlreadyInUse, Self.sentence(error.reason),
                details: error.conflict.map { conflict in
                    .credentialAlreadyInUse(
                        CredentialConflictBody(
                            handle: conflict.handle.rawValue, expiresAt: APITime(conflict.expiresAt)))
                }, cause: error)
        case .identityUnknown: self.init(.identityUnknown, saying: error)
        case .lastWayIn: self.init(.lastWayIn, saying: error)
        case .alreadyLinked: self.init(.alreadyLinked, saying: error)
        case .providerUnknown: self.init(.unknownProvider, saying: error)
        case .mergeChanged: self.init(.mergeChanged, saying: error)
        case .accountMerged:
            self.init(
                .accountMerged, Self.sentence(error.reason),
                details: error.mergedInto.map { .accountMerged(MergedAccountBody(into: $0.rawValue)) }, cause: error)
        // The browser says so, and nothing proves that Apple did, so it is no failure of a server.
        case .refusedByApple: self.init(.refusedByApple, saying: error)
        case .alreadyUsed: self.init(Self.code(ofUsed: error.used), saying: error)
        case .unavailable: self.init(.unavailable, "The service cannot answer now. Try again.", cause: error)
        case .invalidText: self.init(.invalidRequest, "A text of the request holds U+0000.", cause: error)
        case .configuration: self.init(.configuration, "The service is not set up for this.", cause: error)
        case .requestInvalid:
            self.init(
                .invalidRequest, Self.sentence(error.reason),
                details: .invalidRequest(InvalidField(field: error.field)), cause: error)
        case .rateLimited:
            let seconds = Self.wholeSeconds(error.retryAfter ?? .seconds(60))
            self.init(
                .rateLimited, Self.sentence(error.reason), details: .rateLimited(RetryDelay(retryAfter: seconds)),
                headers: [.retryAfter: "\(seconds)"], cause: error)
        case .tooBusy:
            let seconds = Self.wholeSeconds(error.retryAfter ?? .seconds(5))
            self.init(
                .tooBusy, Self.sentence(error.reason), details: .rateLimited(RetryDelay(retryAfter: seconds)),
                headers: [.retryAfter: "\(seconds)"], cause: error)
        // Commands and the start of the server meet these. A request that does has met a fault of this server.
        case .keyTooYoung, .issuerMismatch, .databaseTooNew: self.init(unexpected: error)
        }
    }

    private init(_ code: ErrorCode.Known, saying error: AccountError) {
        self.init(code, Self.sentence(error.reason), cause: error)
    }

    private static func code(ofUsed kind: UsedCredential.Kind?) -> ErrorCode.Known {
        switch kind {
        case .challenge: .challengeAlreadyUsed
        case .nonce: .nonceAlreadyUsed
        case .code: .codeAlreadyUsed
        case .identityToken, nil: .tokenAlreadyUsed
        }
    }
}

extension RequiredConsent {
    init(_ requirement: Consent.Requirement) {
        self.init(
            purposes: requirement.purposes.map { ConsentBody.Purpose(rawValue: $0.rawValue) },
            textVersion: requirement.textVersion)
    }
}

extension PasswordRefusal {
    fileprivate init(_ refusal: PasswordRules.Refusal) {
        self.init(reason: Reason(rawValue: refusal.reason.rawValue), minimumLength: refusal.minimumLength)
    }
}

// MARK: Apple

extension HTTPFailure {
    /// An error about the credential keeps its words. One about Apple, or about this server's standing with Apple, is 502
    /// or 503 and says no more.
    private init(_ error: AppleIDError) {
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

    private init(_ code: ErrorCode.Known, saying error: AppleIDError) {
        self.init(code, Self.sentence(error.reason), cause: error)
    }
}

// MARK: Other providers

extension HTTPFailure {
    /// An error about the credential keeps its words. One about the provider, or about this server's standing with it,
    /// is 502 or 503 and says no more.
    private init(_ error: OpenIDConnectError) {
        if error.isOfBrowser {
            // The browser says so, and nothing proves that the provider did.
            self.init(.signInAgain, "The provider ended the sign-in.", cause: error)
            return
        }
        switch error.code.value {
        case .keysUnavailable, .providerUnavailable, .malformedAnswer, .metadataIssuerMismatch:
            let seconds = 60
            self.init(
                .providerUnavailable, "The provider does not answer now. Try again.",
                headers: [.retryAfter: "\(seconds)"], cause: error)
        case .clientRejected, .providerUnsupported, .invalidConfiguration, .invalidRequest:
            self.init(
                .providerRefusedClient, "The provider does not accept this service's configuration.", cause: error)
        case .accessDenied, .authorizationRejected, .grantRejected, .exchangeOutcomeUnknown, .metadataChanged:
            self.init(.signInAgain, Self.sentence(error.reason), cause: error)
        case .audienceMismatch:
            // The reason may list this service's clients, which is nothing for strangers.
            self.init(.invalidProviderToken, "The identity token is for another app or website.", cause: error)
        case .malformedToken, .tokenTooLarge, .unsupportedAlgorithm, .unknownKey, .signatureInvalid, .malformedClaim,
            .issuerMismatch, .tenantRejected, .tokenExpired, .issuedInFuture, .tokenTooOld, .authenticationTooOld,
            .authenticationContextMismatch, .nonceMissing, .nonceMismatch, .codeHashMissing, .codeHashMismatch,
            .accessTokenHashMismatch, .malformedCallback, .stateMismatch, .providerMixUp:
            self.init(.invalidProviderToken, Self.sentence(error.reason), cause: error)
        }
    }
}

// MARK: The body

extension HTTPFailure {
    private init(_ error: StrictJSONError) {
        if error.code == .tooLarge {
            self.init(.bodyTooLarge, "The body is too large.", cause: error)
            return
        }
        let problem =
            switch error.code {
            case .duplicateMember: "a member occurs twice"
            case .tooDeep: "it is nested too deeply"
            case .invalidUTF8: "it is not UTF-8"
            case .nullCharacter: "it holds U+0000"
            case .malformed, .tooLarge: "it is not JSON"
            }
        self.init(.malformedJSON, "The body cannot be read: \(problem) (at byte \(error.offset)).", cause: error)
    }

    /// JSON of another shape. The message names members, and no values.
    private init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self = .invalidRequest(Self.field(context.codingPath + [key]), "is missing", cause: error)
        case .valueNotFound(_, let context):
            self = .invalidRequest(Self.field(context.codingPath), "must not be null", cause: error)
        case .typeMismatch(_, let context):
            self = .invalidRequest(Self.field(context.codingPath), "has the wrong type", cause: error)
        case .dataCorrupted(let context):
            self = .invalidRequest(Self.field(context.codingPath), "has a value that is not taken", cause: error)
        @unknown default:
            self = .invalidRequest(nil, "has another shape than expected", cause: error)
        }
    }

    private static func field(_ path: [any CodingKey]) -> String? {
        path.isEmpty ? nil : path.map(\.stringValue).joined(separator: ".")
    }
}

// MARK: Hummingbird

extension HTTPFailure {
    /// An error that Hummingbird throws by itself.
    private init(_ error: any HTTPResponseError) {
        switch error.status {
        case .notFound: self.init(.notFound, "There is nothing at this path.", cause: error)
        case .contentTooLarge: self.init(.bodyTooLarge, "The body is too large.", cause: error)
        case let status where status.kind == .clientError:
            self.init(.badRequest, "The request cannot be read.", cause: error)
        default: self.init(unexpected: error)
        }
    }
}
