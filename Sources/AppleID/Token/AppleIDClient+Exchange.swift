public import AppleIDTypes

extension AppleIDClient {
    /// Redeems an authorization code, once: a code is single use, so after an unknown outcome nothing is tried again.
    ///
    /// The identity token in the answer is verified before anything of the answer is believed: it has to be for this
    /// client, to answer the request's nonce, and to belong to the access token beside it where it says to which it
    /// belongs. Where this server has no keys of Apple's yet, they are fetched first, so that an outage costs no code.
    /// - Parameters:
    ///   - client: who obtained the code, for nobody else can redeem it.
    ///   - nonce: of the authorization request, or what stands in for it.
    ///   - redirectURI: that of the authorization request, needed for a client of kind ``AppleClient/Kind/service``;
    ///     nil for a code from a device, which had none.
    ///   - codeVerifier: needed when the request carried a challenge, and only then.
    /// - Throws: Before the code is sent: ``AppleIDError/Code/unknownClient``,
    ///   ``AppleIDError/Code/invalidAuthorizationRequest`` and ``AppleIDError/Code/invalidPrivateKey`` when the call is
    ///   wrong, and ``AppleIDError/Code/keysUnavailable``, after which the same code can be tried again if it is not
    ///   too old. By Apple's word: ``AppleIDError/Code/grantRejected`` when the code is dead,
    ///   ``AppleIDError/Code/clientRejected`` when our configuration is wrong. Without:
    ///   ``AppleIDError/Code/exchangeOutcomeUnknown``, after which the code is not to be sent again. And what
    ///   verification throws. Where Apple gave any token that can be read, whatever else is wrong with its answer, an
    ///   ``UnverifiedGrant`` with all that came is the cause.
    public func exchange(
        code: AuthorizationCode, client: ClientID, nonce: ExchangeNonce, redirectURI: String? = nil,
        codeVerifier: String? = nil
    ) async throws(AppleIDError) -> TokenGrant {
        try await instrumentation.call(.exchange) { () async throws(AppleIDError) -> TokenGrant in
            let registered = try self.client(client)
            try nonce.requireUsable(for: registered)
            let form = try exchangeForm(code, registered, redirectURI: redirectURI, codeVerifier: codeVerifier)
            try await keys.requireAnyKey()
            let answer = try await redeem(form)
            do throws(AppleIDError) {
                let (identityToken, accessToken, expiresIn) = try answer.requireGrant()
                let identity = try await verify(identityToken, for: registered.id, beside: accessToken, nonce: nonce)
                return TokenGrant(
                    identity: identity, accessToken: accessToken, refreshToken: answer.refreshToken,
                    expiresIn: expiresIn)
            } catch {
                let grant = UnverifiedGrant(
                    client: registered.id, identityToken: answer.identityToken, accessToken: answer.accessToken,
                    refreshToken: answer.refreshToken, cause: error.kind == .transient ? error : error.cause)
                // The code is spent: nothing that would be tried again may come of it.
                guard error.kind != .transient else {
                    throw AppleIDError(
                        .exchangeOutcomeUnknown,
                        error.code == .malformedAnswer
                            ? "something is missing in Apple's answer or cannot be read, and the code is spent"
                            : "the key of Apple's answer cannot be had, and the code is spent",
                        cause: grant)
                }
                throw AppleIDError(error.code, error.reason, cause: grant, file: error.file, line: error.line)
            }
        }
    }

    /// Verifies the identity token in an answer that came earlier, when its key could not be had, as it would have been
    /// verified then.
    /// - Parameter accessToken: that of the same answer, to which the identity token has to belong; nil where none
    ///   could be read.
    package func verify(
        _ identityToken: String, for client: ClientID, beside accessToken: AccessToken?, nonce: ExchangeNonce
    ) async throws(AppleIDError) -> VerifiedIdentity {
        let identity = try await identityVerifier.verify(
            identityToken,
            expecting: IdentityExpectation(
                audiences: [client], nonce: nonce.expectation, acceptsUnsupportedNonce: true,
                accessToken: accessToken.map { .ifPresent($0.rawValue) }))
        try nonce.require(identity)
        return identity
    }

    private func exchangeForm(
        _ code: AuthorizationCode, _ client: AppleClient, redirectURI: String?, codeVerifier: String?
    ) throws(AppleIDError) -> [(String, String)] {
        guard !code.rawValue.isEmpty else { throw AppleIDError(.grantRejected, "the authorization code is empty") }
        guard (client.kind == .service) == (redirectURI != nil) else {
            throw AppleIDError(
                .invalidAuthorizationRequest,
                client.kind == .app
                    ? "a code from a device is redeemed without a redirect URI"
                    : "a code from the web is redeemed with the redirect URI it was sent to")
        }
        // Given and empty is a value that got lost on the way, and Apple would spend the code on it.
        guard redirectURI?.isEmpty != true, codeVerifier?.isEmpty != true else {
            throw AppleIDError(.invalidAuthorizationRequest, "the redirect URI or the code verifier is empty")
        }
        var form = [
            ("client_id", client.id.rawValue), ("client_secret", try secret(for: client).rawValue),
            ("code", code.rawValue), ("grant_type", GrantType.authorizationCode.rawValue),
        ]
        if let redirectURI { form.append(("redirect_uri", redirectURI)) }
        if let codeVerifier { form.append(("code_verifier", codeVerifier)) }
        return form
    }

    /// Whatever is no answer of Apple's to the code leaves open whether it is spent.
    private func redeem(
        _ form: [(String, String)]
    ) async throws(AppleIDError) -> TokenAnswer {
        do throws(AppleIDError) {
            return try TokenAnswer(
                try await send(.post(server.tokenURL, form: form), for: .exchange), to: .exchange)
        } catch {
            guard error.kind == .transient else { throw error }
            throw AppleIDError(
                .exchangeOutcomeUnknown, "whether the code is spent is unknown, so it is not sent again", cause: error)
        }
    }
}
