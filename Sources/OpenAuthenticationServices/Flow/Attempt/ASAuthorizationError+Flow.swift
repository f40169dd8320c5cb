import AccountAPI
import AccountConnection
import Foundation

extension ASAuthorizationError {
    /// Makes the app's error for a failure of the flow. The failure is its underlying error.
    init(flowFailure error: any Error) {
        switch error {
        case let error as ASAuthorizationError:
            self = error
        case is CancellationError, ServiceError.cancelled:
            self.init(.canceled, reason: .cancelledByApp)
        case let refusal as RedirectRefusal:
            self.init(code: refusal.code, status: nil, message: nil, underlying: refusal)
        case ServiceError.answered(let status, let code, let message, _):
            self.init(code: code, status: status, message: message, underlying: error)
        case ServiceError.unreachable(let cause):
            self.init(.failed, reason: .serviceUnavailable, underlying: cause)
        case ServiceError.unsendable:
            self.init(
                .notHandled, reason: .notConfigured,
                explanation: "The request to the account service cannot be made: check the configuration's backend.",
                underlying: error)
        case ServiceError.unreadable:
            self.init(.invalidResponse, reason: .unreadableAnswer, underlying: error)
        default:
            self.init(
                .unknown,
                userInfo: [
                    NSLocalizedDescriptionKey: "The sign-in failed for an unknown reason.",
                    NSUnderlyingErrorKey: error,
                ])
        }
    }

    private init(code: ErrorCode, status: Int?, message: String?, underlying: any Error) {
        switch code {
        case .cancelled:
            self.init(.canceled, reason: .cancelledAtApple)
        case .denied:
            self.init(.canceled, reason: .denied)
        case .expired, .attemptExpired:
            self.init(.canceled, reason: .expired)
        case .appUnknown:
            self.init(
                .notHandled, reason: .notConfigured,
                explanation:
                    "The account service does not know this app: check the configuration's app and the service's.",
                underlying: underlying)
        case .unknownProvider:
            self.init(
                .notHandled, reason: .notConfigured,
                explanation: "The account service offers no sign-in with this provider in a browser.",
                underlying: underlying)
        case .redirectURIMismatch:
            self.init(
                .notHandled, reason: .notConfigured,
                explanation:
                    "The account service does not let this app return by loopback: add it to the app's targets.",
                underlying: underlying)
        case _ where Self.badAnswers.contains(code):
            self.init(
                .invalidResponse, reason: code == .nonceMismatch ? .nonceMismatch : .unreadableAnswer,
                explanation: "The account service does not accept the answer of Apple or the provider (\(code)).",
                underlying: underlying)
        case _ where (status ?? 0) >= 500 || Self.troubles.contains(code):
            self.init(.failed, reason: .serviceUnavailable, explanation: message, underlying: underlying)
        default:
            self.init(
                .failed, reason: .refused,
                explanation: "The account service has refused the request (\(code)).", underlying: underlying)
        }
    }

    /// Apple's answer did not pass the service's checks.
    private static let badAnswers: Set<ErrorCode> = [
        .malformedCallback, .malformedToken, .malformedClaim, .tokenTooLarge, .unsupportedAlgorithm, .unknownKey,
        .signatureInvalid, .issuerMismatch, .audienceMismatch, .tokenExpired, .tokenTooOld, .issuedInFuture,
        .subjectMissing, .notAnIdentityToken, .nonceMissing, .nonceMismatch, .codeHashMissing, .codeHashMismatch,
        .accessTokenHashMissing, .accessTokenHashMismatch, .tokenAlreadyUsed, .identityMismatch, .identityTokenMissing,
        .invalidProviderToken,
    ]

    private static let troubles: Set<ErrorCode> = [
        .internal, .configuration, .unavailable, .keysUnavailable, .appleUnavailable, .appleMalformedAnswer,
        .appleConfiguration, .rateLimited, .requestTimeout, .providerUnavailable, .providerRefusedClient,
    ]
}
