import AccountAPI
import Foundation

import enum OpenAuthenticationServices.ServiceError

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServiceError {
    /// A pause that is longer than this is not worth waiting for.
    private static let longestPause = Duration.seconds(5)

    /// Whether the same call may succeed soon.
    var isTransient: Bool {
        switch self {
        case .unreachable: true
        case .answered(_, let code, _, let retryAfter):
            switch code {
            case .unavailable, .keysUnavailable, .appleUnavailable, .requestTimeout, .internal, .rateLimited:
                (retryAfter ?? .zero) <= Self.longestPause
            default: false
            }
        case .unreadable, .cancelled: false
        }
    }

    /// How long the account service asks to be left alone.
    var askedPause: Duration {
        if case .answered(_, _, _, let retryAfter?) = self { retryAfter } else { .zero }
    }

    /// Whether it is certain that the account service has not seen the request.
    var neverArrived: Bool {
        guard case .unreachable(let error as URLError) = self else { return false }
        switch error.code {
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .badURL,
            .unsupportedURL, .secureConnectionFailed:
            return true
        default:
            return false
        }
    }

    /// The code, when it says that the session is over.
    var endOfSession: ErrorCode? {
        switch code {
        case .sessionEnded?, .refreshTokenInvalid?, .refreshTokenReused?: code
        default: nil
        }
    }

    /// Whether the account service wants another access token than the one it was given.
    var wantsOtherAccessToken: Bool {
        switch code {
        case .accessTokenExpired?, .accessTokenInvalid?: true
        default: false
        }
    }

    /// Whether another access token may be answered otherwise.
    var isAboutAccessToken: Bool { wantsOtherAccessToken || endOfSession != nil }
}
