public import AppleIDTypes

extension AppleIDClient {
    /// Ends what a refresh token stands for: the person's authorization of the app, as by their own hand in the
    /// settings.
    ///
    /// The way to end it when a person deletes their account (Apple's TN3194). A request that is not answered is
    /// repeated, as ``RetryPolicy`` has it; what still fails is worth another try later, since revoking twice does no
    /// harm. Apple may or may not send a notification about it.
    /// - Parameter client: who obtained the token. Each token of a person has to be revoked with its own.
    /// - Throws: ``AppleIDError/Code/grantRejected`` when Apple knows the token for dead or another client's, which
    ///   leaves nothing to revoke with; ``AppleIDError/Code/clientRejected``, ``AppleIDError/Code/unknownClient`` and
    ///   ``AppleIDError/Code/invalidPrivateKey`` when our configuration is wrong, so that nothing was revoked. Unlike
    ///   at a refresh, `invalid_request` is one of these: a token that is dead already Apple answers with 200, so what
    ///   is left is a refresh token handed in as an access token, or the reverse;
    ///   ``AppleIDError/Code/appleUnavailable`` and ``AppleIDError/Code/malformedAnswer`` when Apple did not really
    ///   answer.
    @discardableResult
    public func revoke(
        _ token: RefreshToken, client: ClientID
    ) async throws(AppleIDError) -> AcceptedRevocation {
        try await revoke(token.rawValue, type: "refresh_token", client: client)
    }

    /// The same by an access token, for whoever has no refresh token: it is the session behind it that ends.
    @discardableResult
    public func revoke(
        _ token: AccessToken, client: ClientID
    ) async throws(AppleIDError) -> AcceptedRevocation {
        try await revoke(token.rawValue, type: "access_token", client: client)
    }

    private func revoke(
        _ token: String, type: String, client: ClientID
    ) async throws(AppleIDError) -> AcceptedRevocation {
        try await instrumentation.call(.revocation) { () async throws(AppleIDError) -> AcceptedRevocation in
            let registered = try self.client(client)
            guard !token.isEmpty else { throw AppleIDError(.tokenMissing, "the token to revoke is empty") }
            // The field is called token, whatever the token is.
            let form = [
                ("client_id", registered.id.rawValue), ("client_secret", try secret(for: registered).rawValue),
                ("token", token), ("token_type_hint", type),
            ]
            let response = try await send(.post(server.revocationURL, form: form), for: .revocation)
            // The body is empty, and nothing depends on that.
            guard response.status == 200 else { throw TokenRefusal.error(for: response, to: .revocation) }
            return AcceptedRevocation(client: registered.id, tokenType: type, acceptedAt: environment.now())
        }
    }
}
