import AppleIDTypes
import HTTPTypes

extension Refusal {
    /// The emulator's own words for why it refuses, each with its one status. Apple's words are in ``AppleErrorCode``.
    ///
    /// `Docs/emulator.md` lists them.
    enum Code: String, CaseIterable, Sendable {
        case invalidJSON = "invalid_json"
        case groupedApp = "grouped_app"
        case noRelayAddress = "no_relay_address"
        case twoFactorRequired = "two_factor_required"
        case childAccount = "child_account"
        case unauthorized
        case forbidden
        case notFound = "not_found"
        case unknownPerson = "unknown_person"
        case unknownTeam = "unknown_team"
        case unknownApp = "unknown_app"
        case unknownService = "unknown_service"
        case unknownKey = "unknown_key"
        case unknownGrant = "unknown_grant"
        case unknownEmailSource = "unknown_email_source"
        case unknownMail = "unknown_mail"
        case unknownNotification = "unknown_notification"
        case unknownFault = "unknown_fault"
        case conflict
        case snapshotTooLarge = "snapshot_too_large"
        case unsupportedMediaType = "unsupported_media_type"
        case temporarilyUnavailable = "temporarily_unavailable"
        case serverError = "server_error"

        var status: HTTPResponse.Status {
            switch self {
            case .invalidJSON, .groupedApp, .noRelayAddress, .twoFactorRequired, .childAccount: .badRequest
            case .unauthorized: .unauthorized
            case .forbidden: .forbidden
            case .notFound, .unknownPerson, .unknownTeam, .unknownApp, .unknownService, .unknownKey, .unknownGrant,
                .unknownEmailSource, .unknownMail, .unknownNotification, .unknownFault:
                .notFound
            case .conflict, .snapshotTooLarge: .conflict
            case .unsupportedMediaType: .unsupportedMediaType
            case .temporarilyUnavailable: .tooManyRequests
            case .serverError: .internalServerError
            }
        }
    }

    init(_ code: Code, _ description: String) {
        self.init(AppleErrorCode(code.rawValue), description, status: code.status)
    }

    /// What is wrong with a portal that a caller's change would make: the caller's mistake, and where it is.
    /// - Parameter path: of the portal in what the caller sent, as `state.portal.`.
    init(_ error: EmulatorError, under path: String = "") {
        let place = error.place.map { path + $0 }
        self.init(.invalidRequest, (place.map { "\($0): " } ?? "") + error.reason)
        self.place = place
    }
}
