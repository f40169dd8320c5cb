extension ASAuthorizationError.Code {
    /// What has happened, for people.
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
        .stateMismatch: "The answer belongs to another request.",
        .nonceMismatch: "The identity token was made for another request.",
        .unreadableAnswer: "The account service's answer cannot be read.",
        .otherUser: "Somebody else than the expected person has signed in.",
        .serviceUnavailable: "The account service cannot be reached.",
        .refused: "The account service has refused the request.",
        .noBrowser: "No browser can be opened here.",
    ]
}
