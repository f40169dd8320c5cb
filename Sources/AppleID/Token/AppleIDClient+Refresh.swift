public import AppleIDTypes

extension AppleIDClient {
    /// Asks Apple whether a refresh token still lives: whether the person still uses the app with their Apple Account.
    ///
    /// Apple wants to be asked once a day for each person at most, and may throttle who asks more (Apple's "Verifying a
    /// user"); keeping to that is the caller's, who keeps the tokens. A request that is not answered is repeated, as
    /// ``RetryPolicy`` has it.
    /// - Parameters:
    ///   - client: who obtained the token, for nobody else can use it.
    ///   - subject: whose token it is, as the account says that keeps it. The identity token of the answer, where there
    ///     is one, has to say the same.
    /// - Throws: ``AppleIDError/Code/grantRejected`` when the token is dead, and only then: the one error after which
    ///   the person's sessions may be ended. ``AppleIDError/Code/clientRejected``, ``AppleIDError/Code/unknownClient``
    ///   and ``AppleIDError/Code/invalidPrivateKey`` say that our configuration is wrong,
    ///   ``AppleIDError/Code/tokenMissing`` that the token is empty, and nothing about the person;
    ///   ``AppleIDError/Code/appleUnavailable``, ``AppleIDError/Code/malformedAnswer`` and what verification throws,
    ///   that nothing is known.
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
