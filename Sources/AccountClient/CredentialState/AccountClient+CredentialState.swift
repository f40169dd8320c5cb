#if canImport(Darwin)
    public import AuthenticationServices
#else
    public import OpenAuthenticationServices
#endif

extension AccountClient {
    /// Whether the person still uses the app with their Apple Account, as the account service knows: what an app asks
    /// at its start and when it comes to the front.
    ///
    /// `revoked` and `notFound` mean that the session has ended; the person is signed out here by the time this returns.
    /// A session that Apple's word ended may still be asked about for thirty days. `transferred`: the app belongs to
    /// another team now.
    ///
    /// Throws as ``accessToken()`` does: a service that does not answer is `backendUnavailable`, and never `revoked`.
    public func credentialState() async throws -> ASAuthorizationAppleIDProvider.CredentialState {
        try await core.credentialState()
    }
}
