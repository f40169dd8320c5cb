/// Answers what needs no asking, from what an earlier sign-in left.
package struct ExistingCredentialSource: Sendable {
    /// - Throws: `canceled`, for the reason `noStoredCredential`, when there is none.
    package var existingCredential:
        @Sendable (ExistingCredentialRequests) async throws(ASAuthorizationError) -> ExistingCredential
    /// As in ``AuthorizationPerformer/credentialState(forUserID:)``.
    package var credentialState:
        @Sendable (_ userID: String) async
            -> (state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?)
    /// Forgets the session, when a request's operation is to sign out.
    package var endSession: (@Sendable () async -> Void)?

    package init(
        existingCredential:
            @escaping @Sendable (ExistingCredentialRequests) async throws(ASAuthorizationError) ->
            ExistingCredential,
        credentialState:
            @escaping @Sendable (_ userID: String) async -> (
                state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?
            ),
        endSession: (@Sendable () async -> Void)? = nil
    ) {
        self.existingCredential = existingCredential
        self.credentialState = credentialState
        self.endSession = endSession
    }
}
