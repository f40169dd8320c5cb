extension AccountClient {
    /// Ends what Apple lets the account service do for the person, and leaves account and sessions as they are: for an
    /// app that stops using Sign in with Apple. ``deleteAccount(asking:)`` does it by itself.
    ///
    /// The account service tells Apple soon after, and tries again as long as it takes. It needs a recent sign-in, for
    /// which the person is asked once more when it is due.
    ///
    /// Throws as ``reauthenticate()`` does.
    /// - Parameter asking: false never asks: without a recent sign-in it is `refused` with `requires_recent_login`.
    /// - Returns: what the person can do by hand, to be shown to them, where the account service holds nothing that it
    ///   could revoke; nil when Apple is told.
    @discardableResult
    public func revokeToken(asking: Bool = true) async throws -> ManualRemoval? {
        try await core.revokeTokens(asking ? ask(for: []) : nil)
    }

    /// The same by a fresh code of Apple's, or of the account service's, which is proof enough that the person is
    /// there.
    ///
    /// - Parameters:
    ///   - nonce: the raw nonce, when the request that brought the code had its hash.
    ///   - clientID: the bundle identifier that Apple gave the code to; nil for that of the session.
    @discardableResult
    public func revokeToken(
        withAuthorizationCode authorizationCode: String, nonce: String? = nil, clientID: String? = nil
    ) async throws -> ManualRemoval? {
        try await core.revokeToken(authorizationCode, nonce: nonce, clientID: clientID)
    }
}
