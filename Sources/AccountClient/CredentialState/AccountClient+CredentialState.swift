#if canImport(Darwin)
    public import AuthenticationServices
#else
    public import OpenAuthenticationServices
#endif

extension AccountClient {
    /// Whether the person still uses the app with their Apple Account, as the account service knows: what an app asks
    /// at its start and when it comes to the front.
    ///
    /// `revoked`: the person has stopped using the app, and the session has ended, here too by the time this returns;
    /// or they had ``revokeToken(asking:)`` do it, and it goes on. `notFound`: their Apple Account is gone.
    /// `transferred`: the app belongs to another team now. A session that Apple's word ended may be asked about for
    /// thirty days.
    ///
    /// Throws as ``accessToken()`` does: a service that does not answer is `backendUnavailable`, and never `revoked`.
    public func credentialState() async throws -> ASAuthorizationAppleIDProvider.CredentialState {
        try await core.credentialState()
    }
}
