import AccountAPI

public import struct Foundation.Date

#if canImport(Darwin)
    import AuthenticationServices
#else
    import OpenAuthenticationServices
#endif

extension AccountClient {
    /// Asks the person to sign in with Apple once more, so that what needs a recent sign-in is done for the next five
    /// minutes: ``deleteAccount(asking:)`` and ``revokeToken(asking:)``, which also call this themselves when it is
    /// due.
    ///
    /// The session stays as it is. A second call, or a sign-in, cancels the first.
    ///
    /// Throws as ``signIn(scopes:)`` and ``accessToken()`` do; `refused` with `credential_mismatch` when it was another
    /// person than the one who is signed in.
    /// - Returns: when the person was there, by the account service's clock.
    @discardableResult
    public func reauthenticate() async throws -> Date {
        try await core.reauthenticate(ask(for: []))
    }

    /// The same with what the app's own `ASAuthorizationController` was given, for a nonce from
    /// ``reauthenticationNonce()``.
    @discardableResult
    public func reauthenticate(with credential: AppleCredential) async throws -> Date {
        try await core.reauthenticate(with: credential)
    }

    /// A nonce of the account service's for one reauthentication, good for ten minutes and in this session alone. The
    /// request to Apple gets its lowercase hexadecimal SHA-256, and ``reauthenticate(with:)`` the nonce itself.
    ///
    /// A nonce of the app's own is refused there: it would not prove that the person is there now.
    public func reauthenticationNonce() async throws -> String {
        try await core.challenge(.reauthenticate)
    }
}
