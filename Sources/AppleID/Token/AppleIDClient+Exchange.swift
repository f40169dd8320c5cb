public import AppleIDTypes

extension AppleIDClient {
    /// Redeems an authorization code, once: a code is single use, so after an unknown outcome nothing is tried again.
    ///
    /// The identity token in the answer is verified before anything of the answer is believed: it has to be for this
    /// client, and to belong to the access token beside it where it says to which it belongs.
    /// - Parameters:
    ///   - client: who obtained the code, for nobody else can redeem it.
    ///   - redirectURI: that of the authorization request, needed for a client of kind ``AppleClient/Kind/service``; nil
    ///     for a code from a device, which had none.
    ///   - codeVerifier: needed when the request carried a challenge, and only then.
    /// - Throws: ``AppleIDError/Code/grantRejected`` when the code is dead; ``AppleIDError/Code/clientRejected``,
    ///   ``AppleIDError/Code/unknownClient``, ``AppleIDError/Code/invalidAuthorizationRequest`` and
    ///   ``AppleIDError/Code/invalidPrivateKey`` when our configuration is wrong;
    ///   ``AppleIDError/Code/appleUnavailable`` and ``AppleIDError/Code/malformedAnswer`` when Apple did not really
    ///   answer; and what verification throws.
    public func exchange(
        code: AuthorizationCode, client: ClientID, redirectURI: String? = nil, codeVerifier: String? = nil
    ) async throws(AppleIDError) -> TokenGrant {
        try await instrumentation.call(.exchange) { () async throws(AppleIDError) -> TokenGrant in
            let registered = try self.client(client)
            guard !code.rawValue.isEmpty else { throw AppleIDError(.grantRejected, "the authorization code is empty") }
            guard (registered.kind == .service) == (redirectURI != nil) else {
                throw AppleIDError(
                    .invalidAuthorizationRequest,
                    registered.kind == .app
                        ? "a code from a device is redeemed without a redirect URI"
                        : "a code from the web is redeemed with the redirect URI it was sent to")
            }
            var form = [
                ("client_id", registered.id.rawValue), ("client_secret", try secret(for: registered).rawValue),
                ("code", code.rawValue), ("grant_type", GrantType.authorizationCode.rawValue),
            ]
            if let redirectURI { form.append(("redirect_uri", redirectURI)) }
            if let codeVerifier { form.append(("code_verifier", codeVerifier)) }
            let answer = try TokenAnswer(
                try await send(.post(server.tokenURL, form: form), for: .exchange), to: .exchange)
            let identity = try await identityVerifier.verify(
                try answer.requiredIdentityToken(),
                expecting: IdentityExpectation(
                    audiences: [registered.id], nonce: nil, accessToken: .ifPresent(answer.accessToken.rawValue)))
            return TokenGrant(
                identity: identity, accessToken: answer.accessToken, refreshToken: answer.refreshToken,
                expiresIn: answer.expiresIn)
        }
    }
}
