/// An error that refuses a request, with the emulator's reason.
///
/// It knows no HTTP. ``RefusalMiddleware`` turns it into a response, in the shape that the client expects.
struct Refusal: Error {
    let code: Code
    /// A text for the developer who reads the response. It may hold what the client sent, and is escaped wherever it is
    /// shown.
    let description: String
    /// The emulator's reason, which Apple's response doesn't say. It goes to a response header and to the request log,
    /// so it never holds a value that a client sent.
    let reason: String?
    /// Seconds after which the same request may be served.
    var retryAfter: Int64?
    /// The member of a JSON body that is wrong, as `teams[0].apps[1].id`.
    var place: String?

    /// - Parameter reason: the reason for the header and the request log. For `invalid_client` it is the description,
    ///   because Apple's `invalid_client` has none.
    init(_ code: Code, _ description: String, reason: String? = nil) {
        self.code = code
        self.description = description
        self.reason = reason ?? (code == .invalidClient ? description : nil)
    }

    /// Creates the refusal of a call whose change would make a wrong portal.
    /// - Parameter path: the path of the portal in what the caller sent, as `state.portal.`.
    init(_ error: EmulatorError, under path: String = "") {
        let place = error.place.map { path + $0 }
        self.init(.invalidRequest, (place.map { "\($0): " } ?? "") + error.reason)
        self.place = place
    }
}

extension Refusal {
    /// The error codes of the emulator: Apple's, and its own, which `Docs/emulator-refusals.md` lists.
    enum Code: String, CaseIterable, Sendable {
        // Apple's
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
        // The emulator's own
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
    }
}
