public import AppleIDTypes

extension AppleIDClient {
    /// Asks Apple whether a refresh token still lives, and so whether the person still uses the app with their Apple
    /// Account.
    ///
    /// Ask once a day for each person at most: Apple may throttle servers that ask more often (Apple's "Verifying a
    /// user"). A request without an answer is repeated as ``RetryPolicy`` says.
    /// - Parameters:
    ///   - client: the client that obtained the token. No other can use it.
    ///   - subject: the person's subject, as your account has it. The identity token in the answer, if there is one,
    ///     has to carry the same subject.
    /// - Throws: ``AppleIDError/Code/grantRejected`` if the token is dead: the only error after which you may end the
    ///   person's sessions. ``AppleIDError/Code/clientRejected``, ``AppleIDError/Code/unknownClient`` and
    ///   ``AppleIDError/Code/invalidPrivateKey`` if the configuration is wrong, and ``AppleIDError/Code/tokenMissing``
    ///   if the token is empty: these say nothing about the person. ``AppleIDError/Code/appleUnavailable``,
    ///   ``AppleIDError/Code/malformedAnswer`` and the errors of a verification if nothing is known.
    public func refresh(
        _ token: RefreshToken, client: ClientID, subject: Subject
    ) async throws(AppleIDError) -> TokenRefresh {
        try await instrumentation.call(.refresh) { () async throws(AppleIDError) -> TokenRefresh in
            let registered = try self.client(client)
            guard !token.rawValue.isEmpty else { throw AppleIDError(.tokenMissing, "the refresh token is empty") }
            let form = [
                ("client_id", registered.id.rawValue), ("client_secret", try secret(for: registered).rawValue),
                ("grant_type", GrantType.refreshToken.rawValue), ("refresh_token", token.rawValue),
            ]
            let answer = try TokenAnswer(
                try await send(.post(server.tokenURL, form: form), for: .refresh), to: .refresh)
            let (accessToken, expiresIn) = try answer.requireReadable()
            var identity: VerifiedIdentity?
            if let identityToken = answer.identityToken {
                identity = try await identityVerifier.verify(
                    identityToken,
                    expecting: IdentityExpectation(
                        audiences: [registered.id], nonce: nil, accessToken: .ifPresent(accessToken.rawValue)))
            }
            // OpenID Connect Core 1.0 §12.2: a refreshed token is about the same person.
            if let found = identity?.subject, !found.rawValue.utf8.elementsEqual(subject.rawValue.utf8) {
                throw AppleIDError(.subjectMismatch, "Apple's answer to the refresh token is about somebody else")
            }
            return TokenRefresh(
                identity: identity, accessToken: accessToken, refreshToken: answer.refreshToken, expiresIn: expiresIn)
        }
    }
}
