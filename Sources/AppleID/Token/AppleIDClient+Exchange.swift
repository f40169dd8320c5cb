public import AppleIDTypes

extension AppleIDClient {
    /// Redeems an authorization code, once: a code is single use, so nothing is repeated after an unknown outcome.
    ///
    /// The identity token in the answer is verified before anything of the answer is believed. It has to be for this
    /// client and to answer the request's nonce. If it names the access token that it belongs to, it has to be the one
    /// beside it. If the server has no keys of Apple's yet, they are fetched first, so that an outage costs no code.
    /// - Parameters:
    ///   - client: the client that obtained the code. No other can redeem it.
    ///   - nonce: the nonce of the authorization request, or the identity token that came with the code.
    ///   - redirectURI: the redirect URI of the authorization request, for a client of kind
    ///     ``ClientRegistration/Kind/service``; nil for a code from a device, which had none.
    ///   - codeVerifier: the verifier of the request's challenge; nil if the request had none.
    /// - Throws: The errors in the table of <doc:ExchangeAndRevoke>, which says for each whether the code is spent. If
    ///   Apple gave any token that can be read, the cause is an ``UnverifiedGrant`` with all that came.
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
                // The code is spent, so the error must not make the caller try again.
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
    /// - Parameter accessToken: the access token of the same response, to which the identity token has to belong; nil
    ///   if none could be read.
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
        _ code: AuthorizationCode, _ client: ClientRegistration, redirectURI: String?, codeVerifier: String?
    ) throws(AppleIDError) -> [(String, String)] {
        guard !code.rawValue.isEmpty else { throw AppleIDError(.grantRejected, "the authorization code is empty") }
        guard (client.kind == .service) == (redirectURI != nil) else {
            throw AppleIDError(
                .invalidAuthorizationRequest,
                client.kind == .app
                    ? "a code from a device is redeemed without a redirect URI"
                    : "a code from the web is redeemed with the redirect URI it was sent to")
        }
        // An empty value was lost on its way here, and Apple would spend the code on the request.
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

    /// Sends the code. Without Apple's own answer about the code, nobody knows whether it is spent.
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

/// The nonce that the identity token in the answer to a code has to carry. Printing or mirroring it shows no value.
///
/// Use ``proven(by:)`` if an identity token came with the code, as it does from apps and from a web sign-in with
/// `code id_token`. Use one of the other cases if the code came alone.
///
/// A token without a nonce is accepted if it says that its platform supports none, because Apple has just redeemed the
/// code.
public enum ExchangeNonce: Sendable, Redacted {
    /// The token carries this value, verbatim or as its lowercase hexadecimal SHA-256. Your server made the value and
    /// consumes it once.
    case issued(String)
    /// The token carries the lowercase hexadecimal SHA-256 of this value, which the app hashed before it gave it to
    /// Apple.
    case hashed(ofRaw: String)
    /// The request had no nonce, so a token that carries one answers another request.
    ///
    /// A code whose request had no nonce proves less: nothing but its single use keeps it from being somebody else's.
    case noneSent
    /// The token in the answer carries the same nonce as the identity token that came with the code, or none if that
    /// has none.
    ///
    /// You have verified the token that came with the code, and with it the nonce. The exchange then requires that both
    /// tokens have the same issuer, are for the same client and are about the same person (OpenID Connect Core 1.0
    /// §3.3.3.6). Verify the first token with ``IdentityExpectation/authorizationCode``, so that it and the code belong
    /// together.
    case proven(by: VerifiedIdentity)

    /// The nonce that the verifier expects; nil where another verified token stands in for it.
    var expectation: NonceExpectation? {
        switch self {
        case .issued(let value): .issued(value)
        case .hashed(let raw): .hashed(ofRaw: raw)
        case .noneSent: .noneSent
        case .proven: nil
        }
    }

    /// - Throws: ``AppleIDError/Code/invalidAuthorizationRequest``, before the code is spent on it.
    func requireUsable(for client: ClientRegistration) throws(AppleIDError) {
        switch self {
        case .issued(let text), .hashed(let text):
            guard !text.isEmpty else {
                throw AppleIDError(.invalidAuthorizationRequest, "an empty nonce is none, and no token can match it")
            }
        case .proven(let identity):
            guard identity.audience == client.id else {
                throw AppleIDError(
                    .invalidAuthorizationRequest, "the identity token beside the code is for another client")
            }
        case .noneSent:
            return
        }
    }

    /// Compares the verified token of the response with the token that came with the code, if there was one.
    func require(_ answer: VerifiedIdentity) throws(AppleIDError) {
        guard case .proven(let beside) = self else { return }
        guard answer.subject.rawValue.utf8.elementsEqual(beside.subject.rawValue.utf8) else {
            throw AppleIDError(.subjectMismatch, "Apple's answer to the code is about somebody else")
        }
        guard answer.claims.issuer.utf8.elementsEqual(beside.claims.issuer.utf8) else {
            throw AppleIDError(.issuerMismatch, "the token in the answer is of another issuer than the one before")
        }
        // If only one of the tokens has a nonce, they don't belong to one request either.
        guard answer.claims.nonce.map({ Array($0.utf8) }) == beside.claims.nonce.map({ Array($0.utf8) }) else {
            throw AppleIDError(
                .nonceMismatch, "the tokens beside the code and in the answer do not carry the same nonce")
        }
    }
}
