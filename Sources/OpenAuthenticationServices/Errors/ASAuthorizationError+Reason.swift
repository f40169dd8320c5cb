import Foundation

extension ASAuthorizationError {
    /// The key of the ``Reason``'s word in `userInfo`.
    public static let reasonKey = "siwaReason"

    /// A reason that is more precise than the code: Apple has one code for "cancelled" and for "there was none".
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The word in `userInfo`.
        public let rawValue: String

        /// Makes a reason of its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        // canceled
        /// There is no stored credential, and the request doesn't ask the person.
        public static let noStoredCredential = Self(rawValue: "noStoredCredential")
        /// The person didn't finish the sign-in in the browser in time.
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
        /// A controller doesn't perform the operation: an app signs a person out itself.
        public static let unsupportedOperation = Self(rawValue: "unsupportedOperation")

        // notHandled, preferSignInWithApple
        /// The controller was given only requests that Apple's systems alone perform, such as those for passkeys.
        public static let unsupportedRequest = Self(rawValue: "unsupportedRequest")

        // invalidResponse, failed
        /// The answer carries another state than the request.
        public static let stateMismatch = Self(rawValue: "stateMismatch")
        /// The identity token carries another nonce than the request.
        public static let nonceMismatch = Self(rawValue: "nonceMismatch")
        /// The answer cannot be read, or breaks the account service's own rules.
        public static let unreadableAnswer = Self(rawValue: "unreadableAnswer")
        /// Another person than the request's user has signed in.
        public static let otherUser = Self(rawValue: "otherUser")
        /// The account service can't be reached, or is unavailable. The underlying error says more.
        public static let serviceUnavailable = Self(rawValue: "serviceUnavailable")
        /// The device's secret storage cannot be read or written.
        public static let storageUnavailable = Self(rawValue: "storageUnavailable")
        /// The app performs another modification of an account already.
        public static let alreadyPerforming = Self(rawValue: "alreadyPerforming")
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

extension ASAuthorizationError.Code {
    /// A sentence for people that says what has happened.
    var sentence: String {
        switch self {
        case .canceled: "The sign-in was cancelled."
        case .invalidResponse: "The answer to the sign-in is not valid."
        case .notHandled: "The sign-in could not be started."
        case .notInteractive: "There is no way to sign in from here."
        case .failed: "The sign-in failed."
        case .unknown: "The sign-in failed for an unknown reason."
        case .matchedExcludedCredential: "There is a passkey for this already."
        case .credentialImport: "The credentials could not be imported."
        case .credentialExport: "The credentials could not be exported."
        case .preferSignInWithApple: "Sign in with Apple is preferred."
        case .deviceNotConfiguredForPasskeyCreation: "Passkeys cannot be made here."
        }
    }
}

extension ASAuthorizationError.Reason {
    /// Why it has happened, for people; the word itself when it is not one of ours.
    var sentence: String { Self.sentences[self] ?? rawValue }

    private static let sentences: [Self: String] = [
        .noStoredCredential: "Nobody has signed in here before.",
        .timedOut: "Nobody finished the sign-in in time.",
        .superseded: "A newer sign-in has taken its place.",
        .cancelledByApp: "The app has stopped it.",
        .cancelledAtApple: "It was cancelled on Apple's page.",
        .denied: "It was refused in the browser.",
        .expired: "The time to finish it was over.",
        .notConfigured:
            "No account service is named: set AuthenticationServicesConfiguration.shared, or SIWA_BACKEND and SIWA_APP.",
        .noRequest: "The controller was given no request to perform.",
        .unsupportedOperation: "An app signs a person out by forgetting them; there is nothing to ask for.",
        .unsupportedRequest: "Only Apple's systems can do this.",
        .stateMismatch: "The answer belongs to another request.",
        .nonceMismatch: "The identity token was made for another request.",
        .unreadableAnswer: "The account service's answer cannot be read.",
        .otherUser: "Somebody else than the expected person has signed in.",
        .serviceUnavailable: "The account service cannot be reached.",
        .storageUnavailable: "The device's secret storage cannot be read or written.",
        .alreadyPerforming: "This controller is performing another request: wait until that has ended.",
        .refused: "The account service has refused the request.",
        .noBrowser: "No browser can be opened here.",
    ]
}
