package import AccountAPI
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A failed call to the account service. It is the cause of the error that an app sees.
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

    /// The error code in the service's response; nil without one.
    package var code: ErrorCode? {
        if case .answered(_, let code, _, _) = self { code } else { nil }
    }

    /// The details in the service's response; nil without a response.
    package var details: RefusalDetails? {
        if case .answered(_, _, _, let details) = self { details } else { nil }
    }
}

/// The details of a refusal. Each code has its own; the others are nil, or false.
package struct RefusalDetails: Hashable, Sendable {
    /// The time after which the service takes the next call.
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
    /// Whether a proxy answered in place of the service.
    package var isOfProxy: Bool

    package init(
        retryAfter: Duration? = nil, field: String? = nil, consent: RequiredConsent? = nil,
        password: PasswordRefusal? = nil, conflict: CredentialConflictBody? = nil,
        merged: MergedAccountBody? = nil, isOfProxy: Bool = false
    ) {
        self.retryAfter = retryAfter
        self.field = field
        self.consent = consent
        self.password = password
        self.conflict = conflict
        self.merged = merged
        self.isOfProxy = isOfProxy
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
    /// The longest pause for which a call waits before it is repeated.
    private static let maximumPause = Duration.seconds(5)

    /// Whether the same call may succeed soon.
    package var isTransient: Bool {
        switch self {
        case .unreachable: true
        case .answered(_, let code, _, let details):
            switch code {
            case .unavailable, .keysUnavailable, .appleUnavailable, .requestTimeout, .internal, .rateLimited,
                .tooBusy:
                (details.retryAfter ?? .zero) <= Self.maximumPause
            default: false
            }
        case .unsendable, .unreadable, .cancelled: false
        }
    }

    /// The pause that the account service asks for before the next call.
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

    /// Whether the account service may have carried out the request, although no answer of its own came. An error of a proxy
    /// counts as no answer: the proxy may have lost the service's answer, or stopped waiting for it.
    package var mayHaveLostAnswer: Bool {
        switch self {
        case .unreachable: !neverArrived
        case .answered(_, _, _, let details): details.isOfProxy
        case .unsendable, .unreadable, .cancelled: false
        }
    }

    /// The code if it says that the session is over; nil for any other code.
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

    /// Whether the same call may succeed with another access token.
    package var isAboutAccessToken: Bool { wantsOtherAccessToken || endOfSession != nil }
}
