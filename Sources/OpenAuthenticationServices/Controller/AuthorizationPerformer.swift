/// Carries out what a controller is asked: over an account service and a browser, or from a test's script.
///
/// The controller calls one of the first three once for every ``ASAuthorizationController/performRequests()``, and
/// cancels the task that it calls them in when it is cancelled itself. What the call then returns or throws is not
/// looked at.
package protocol AuthorizationPerformer: Sendable {
    /// Asks the person.
    func authorize(_ request: AppleIDRequestValues) async throws(ASAuthorizationError) -> AppleIDCredentialValues

    /// Looks for a credential that needs no asking: no browser, no prompt.
    /// - Throws: `canceled` when there is none.
    func existingCredential(_ requests: ExistingCredentialRequests) async throws(ASAuthorizationError)
        -> ExistingCredential

    /// Forgets what ``existingCredential(_:)`` finds: a request's operation is to sign out.
    func endSession() async

    /// What is known of this user. `error` beside a state says that the state is the last one known.
    func credentialState(
        forUserID userID: String
    ) async -> (state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?)

    /// A controller performs. Called in ``ASAuthorizationController/performRequests()`` itself, before anything else.
    func performingBegan()

    /// That controller has called its delegate, or has found none. Called on the main actor.
    func performingEnded()
}

extension AuthorizationPerformer {
    package func performingBegan() {}
    package func performingEnded() {}
}
