import Foundation

extension ASAuthorizationError {
    /// The key of the ``Reason``'s word in `userInfo`.
    public static let reasonKey = "siwaReason"

    /// What the code does not tell: Apple has one code for "cancelled" and for "there was none".
    public struct Reason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        // canceled
        /// There is no credential that needs no asking.
        public static let noStoredCredential = Self(rawValue: "noStoredCredential")
        /// Nobody finished in the browser in time.
        public static let timedOut = Self(rawValue: "timedOut")
        /// A newer request has taken its place.
        public static let superseded = Self(rawValue: "superseded")
        /// The app called ``ASAuthorizationController/cancel()``.
        public static let cancelledByApp = Self(rawValue: "cancelledByApp")
        /// The person chose Cancel on Apple's page.
        public static let cancelledAtApple = Self(rawValue: "cancelledAtApple")
        /// The person refused the device that shows the code.
        public static let denied = Self(rawValue: "denied")
        /// The device code or the authorization became too old.
        public static let expired = Self(rawValue: "expired")

        // notHandled
        /// No account service is named.
        public static let notConfigured = Self(rawValue: "notConfigured")
        /// The controller was given no request.
        public static let noRequest = Self(rawValue: "noRequest")
        /// The operation is not for a controller: signing out is the app's own affair.
        public static let unsupportedOperation = Self(rawValue: "unsupportedOperation")

        // invalidResponse, failed
        /// The answer carries another state than the request.
        public static let stateMismatch = Self(rawValue: "stateMismatch")
        /// The identity token carries another nonce than the request.
        public static let nonceMismatch = Self(rawValue: "nonceMismatch")
        /// The answer cannot be read, or breaks the account service's own rules.
        public static let unreadableAnswer = Self(rawValue: "unreadableAnswer")
        /// Somebody else than the request's user has answered.
        public static let otherUser = Self(rawValue: "otherUser")
        /// The account service cannot be reached or is in trouble; the underlying error says more.
        public static let serviceUnavailable = Self(rawValue: "serviceUnavailable")
        /// The account service does not know the app, or refuses what it asks.
        public static let refused = Self(rawValue: "refused")

        // notInteractive
        /// No browser can be opened, and there is no other way to ask.
        public static let noBrowser = Self(rawValue: "noBrowser")
    }

    /// The reason in `userInfo`, if there is one.
    public var reason: Reason? {
        (_nsError.userInfo[Self.reasonKey] as? String).map(Reason.init(rawValue:))
    }

    /// An error with a sentence for people, the reason's word and its explanation.
    ///
    /// - Parameter explanation: Says more than the reason's own sentence, for `NSLocalizedFailureReasonErrorKey`.
    package init(
        _ code: Code, reason: Reason, explanation: String? = nil, underlying: (any Error)? = nil
    ) {
        var userInfo: [String: Any] = [
            Self.reasonKey: reason.rawValue,
            NSLocalizedDescriptionKey: code.sentence,
            NSLocalizedFailureReasonErrorKey: explanation ?? reason.sentence,
        ]
        userInfo[NSUnderlyingErrorKey] = underlying
        self.init(code, userInfo: userInfo)
    }
}
