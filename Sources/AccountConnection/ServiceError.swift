package import AccountAPI
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a call of the account service gave no value. It stands under the errors that an app sees, as their cause.
package enum ServiceError: Error {
    /// The service refused. `message` is for developers.
    case answered(status: Int, code: ErrorCode, message: String, details: RefusalDetails)
    /// No answer came; the cause is a `URLError` with Foundation's client.
    case unreachable(any Error)
    /// The request can't be made, because its URL or its body is invalid. Nothing was sent.
    case unsendable(any Error)
    /// The response is not one of an account service.
    case unreadable(status: Int)
    /// The calling task was cancelled.
    case cancelled

    /// The word of the service, when it spoke.
    package var code: ErrorCode? {
        if case .answered(_, let code, _, _) = self { code } else { nil }
    }

    /// The details that the service gave, when it spoke.
    package var details: RefusalDetails? {
        if case .answered(_, _, _, let details) = self { details } else { nil }
    }
}

/// The details of a refusal. Each code has its own; the others are nil.
package struct RefusalDetails: Hashable, Sendable {
    /// How long the service asks to be left alone.
    package var retryAfter: Duration?
    /// The part of the request that is invalid.
    package var field: String?
    /// The consent that the request lacks.
    package var consent: RequiredConsent?
    /// The rule that a password broke.
    package var password: PasswordRefusal?
    /// The handle in place of a credential that opens another account.
    package var conflict: CredentialConflictBody?
    /// The account that has taken the place of the session's.
    package var merged: MergedAccountBody?

    package init(
        retryAfter: Duration? = nil, field: String? = nil, consent: RequiredConsent? = nil,
        password: PasswordRefusal? = nil, conflict: CredentialConflictBody? = nil,
        merged: MergedAccountBody? = nil
    ) {
        self.retryAfter = retryAfter
        self.field = field
        self.consent = consent
        self.password = password
        self.conflict = conflict
        self.merged = merged
    }

    package static let none = Self()
}

extension ServiceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .answered(let status, let code, let message, _): "\(status) \(code): \(message)"
        case .unreachable(let cause): "the account service cannot be reached: \(cause)"
        case .unsendable(let cause): "the request cannot be made: \(cause)"
        case .unreadable(let status): "status \(status) and a body that is not an account service's"
        case .cancelled: "cancelled"
        }
    }
}

extension ServiceError {
    /// A pause that is longer than this is not worth waiting for.
    private static let longestPause = Duration.seconds(5)

    /// Whether the same call may succeed soon.
    package var isTransient: Bool {
        switch self {
        case .unreachable: true
        case .answered(_, let code, _, let details):
            switch code {
            case .unavailable, .keysUnavailable, .appleUnavailable, .requestTimeout, .internal, .rateLimited,
                .tooBusy:
                (details.retryAfter ?? .zero) <= Self.longestPause
            default: false
            }
        case .unsendable, .unreadable, .cancelled: false
        }
    }

    /// How long the account service asks to be left alone.
    package var askedPause: Duration {
        details?.retryAfter ?? .zero
    }

    /// Whether it is certain that the account service has not seen the request.
    package var neverArrived: Bool {
        switch self {
        case .unsendable: return true
        case .unreachable(let error as URLError):
            switch error.code {
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .badURL,
                .unsupportedURL, .secureConnectionFailed:
                return true
            default: return false
            }
        case .unreachable, .answered, .unreadable, .cancelled: return false
        }
    }

    /// Whether no answer came, although the account service may have carried out the request.
    package var mayHaveLostAnswer: Bool {
        guard case .unreachable = self else { return false }
        return !neverArrived
    }

    /// The code, when it says that the session is over.
    package var endOfSession: ErrorCode? {
        switch code {
        case .sessionEnded?, .refreshTokenInvalid?, .refreshTokenReused?, .accountMerged?: code
        default: nil
        }
    }

    /// Whether the account service wants another access token than the one it was given.
    package var wantsOtherAccessToken: Bool {
        switch code {
        case .accessTokenExpired?, .accessTokenInvalid?: true
        default: false
        }
    }

    /// Whether another access token may be answered otherwise.
    package var isAboutAccessToken: Bool { wantsOtherAccessToken || endOfSession != nil }
}
