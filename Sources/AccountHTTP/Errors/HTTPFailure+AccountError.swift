import AccountAPI
import AccountService
import HTTPTypes

extension HTTPFailure {
    /// Nil for what no request should ever meet: that is a fault of this server.
    init?(_ error: AccountError) {
        switch error.code {
        case .alreadyUsed:
            self.init(Self.code(spent: error.spent), error.reason.asSentence, cause: error)
        case .unavailable:
            self.init(.unavailable, "The service cannot answer now. Try again.", cause: error)
        case .invalidText:
            self.init(.invalidRequest, "A text of the request holds U+0000.", cause: error)
        case .requestInvalid:
            self.init(
                .invalidRequest, error.reason.asSentence,
                details: .invalidRequest(InvalidField(field: error.field)), cause: error)
        case .rateLimited:
            let seconds = max(1, Int((error.retryAfter ?? .seconds(60)).components.seconds))
            self.init(
                .rateLimited, error.reason.asSentence, details: .rateLimited(RetryDelay(retryAfter: seconds)),
                headers: [.retryAfter: "\(seconds)"], cause: error)
        case .configuration:
            self.init(.configuration, "The service is not set up for this.", cause: error)
        default:
            guard let code = Self.codes[error.code] else { return nil }
            self.init(code, error.reason.asSentence, cause: error)
        }
    }

    private static func code(spent: Spent.Kind?) -> ErrorCode {
        switch spent {
        case .challenge: .challengeAlreadyUsed
        case .nonce: .nonceAlreadyUsed
        case .code: .codeAlreadyUsed
        case .identityToken, nil: .tokenAlreadyUsed
        }
    }

    /// Those that clients may know as they are.
    private static let codes: [AccountError.Code: ErrorCode] = [
        .accountDisabled: .accountDisabled,
        .appUnknown: .appUnknown,
        .attemptUnknown: .attemptUnknown,
        .attemptExpired: .attemptExpired,
        .authorizationDenied: .denied,
        .authorizationExpired: .expired,
        .authorizationPending: .authorizationPending,
        .authorizationUnknown: .authorizationUnknown,
        .browserMismatch: .browserMismatch,
        .cancelled: .cancelled,
        .challengeInvalid: .challengeInvalid,
        .codeMissing: .codeMissing,
        .handleInvalid: .handleInvalid,
        .identityMismatch: .identityMismatch,
        .identityTokenMissing: .identityTokenMissing,
        .nonceInvalid: .nonceInvalid,
        // The browser says so, and nothing proves that Apple did: no failure of a server.
        .refusedByApple: .refusedByApple,
        .returnTargetMismatch: .redirectURIMismatch,
        .slowDown: .slowDown,
        .refreshTokenInvalid: .refreshTokenInvalid,
        .refreshTokenReused: .refreshTokenReused,
        .sessionEnded: .sessionEnded,
        .sessionUnknown: .sessionUnknown,
        .accessTokenExpired: .accessTokenExpired,
        .tokenInvalid: .accessTokenInvalid,
        .tokenTooOld: .tokenTooOld,
        .transferNotCompleted: .transferNotCompleted,
        .credentialMismatch: .credentialMismatch,
        .deletionUnknown: .deletionUnknown,
        .requiresRecentLogin: .requiresRecentLogin,
    ]
}

extension String {
    /// A reason as it is written in the domain, with a capital letter and a full stop.
    var asSentence: String {
        prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}
