import TaskSignals

/// Carries out what a controller is asked: over an account service and a browser, or from a test's script.
///
/// The controller calls one of the first three once for every ``ASAuthorizationController/performRequests()``, and
/// cancels the task that it calls them in when it is cancelled itself. The call's result is then ignored.
package protocol AuthorizationPerformer: Sendable {
    /// Asks the person.
    func authorize(_ request: AppleIDRequestValues) async throws(ASAuthorizationError) -> AppleIDCredentialValues

    /// Looks for a credential that needs no asking: no browser, no prompt.
    /// - Throws: `canceled` when there is none.
    func existingCredential(_ requests: ExistingCredentialRequests) async throws(ASAuthorizationError)
        -> ExistingCredential

    /// Forgets what ``existingCredential(_:)`` finds: a request's operation is to sign out.
    func endSession() async

    /// Replaces the password that is saved for a user by Sign in with Apple. The person is asked at Apple.
    func replacePassword(of user: String) async throws(ASAuthorizationError)

    /// Returns the credential state of a user. `error` beside a state says that the state is the last one known.
    func credentialState(
        forUserID userID: String
    ) async -> (state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?)

    /// A controller performs. Called in ``ASAuthorizationController/performRequests()`` itself, before anything else.
    func performingBegan()

    /// The controller has called its delegate, or has found none. Called on the main actor.
    func performingEnded()
}

extension AuthorizationPerformer {
    package func performingBegan() {}
    package func performingEnded() {}
}

/// The requests that are to be answered without asking the person.
package struct ExistingCredentialRequests: Hashable, Sendable {
    /// The request for an Apple credential; nil when only a password was asked for.
    package var appleID: AppleIDRequestValues?
    package var includesPassword: Bool

    package init(appleID: AppleIDRequestValues?, includesPassword: Bool) {
        self.appleID = appleID
        self.includesPassword = includesPassword
    }
}

/// A credential that was found without asking the person.
package enum ExistingCredential: Sendable {
    case appleID(AppleIDCredentialValues)
    case password(user: String, password: String)
}

/// The performer for all controllers and providers of this process. Apple's API has no parameter for it.
package enum CurrentPerformer {
    private static let installed = Lock<(any AuthorizationPerformer)?>(nil)

    /// The performer for one task and its children, in front of the installed one: tests run beside each other.
    @TaskLocal package static var scoped: (any AuthorizationPerformer)?

    /// The present performer; nil until an app, or the environment, has said where the account service is.
    package static var value: (any AuthorizationPerformer)? {
        if let performer = scoped ?? installed.withLock({ $0 }) { return performer }
        // Reads the environment, and installs, at the first time.
        guard AuthenticationServicesConfiguration.shared != nil else { return nil }
        return installed.withLock { $0 }
    }

    package static func install(_ performer: (any AuthorizationPerformer)?) {
        installed.withLock { $0 = performer }
    }
}
