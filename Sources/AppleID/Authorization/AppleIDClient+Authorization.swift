import AppleIDTypes

extension AppleIDClient {
    /// Where to send a browser.
    ///
    /// What Apple is known to refuse with a page of its own, which no redirect URI ever hears of, is refused here
    /// (Apple's "Request an authorization to the Sign in with Apple server").
    /// - Throws: ``AppleIDError/Code/unknownClient`` or ``AppleIDError/Code/invalidAuthorizationRequest``.
    public func authorizationURL(for request: AuthorizationRequest) throws(AppleIDError) -> String {
        _ = try client(request.client)
        if !request.scopes.isEmpty, ![.formPost, .webMessage].contains(request.responseMode) {
            throw AppleIDError(
                .invalidAuthorizationRequest, "a request for name or email has to be answered by form_post")
        }
        if request.responseType == .codeIDToken, request.responseMode == .query {
            throw AppleIDError(.invalidAuthorizationRequest, "an identity token does not come back in a query")
        }
        guard !request.redirectURI.isEmpty, !request.state.isEmpty, request.nonce?.isEmpty != true else {
            throw AppleIDError(.invalidAuthorizationRequest, "redirect URI, state and nonce must not be empty")
        }
        // Without it the code would be redeemed unprotected, by whoever has it.
        guard request.codeChallenge?.isEmpty != true else {
            throw AppleIDError(.invalidAuthorizationRequest, "the code challenge is empty")
        }
        // An emulator may be laxer, and says itself what it takes.
        if server == .apple, let objection = RedirectURI.objection(to: request.redirectURI) {
            throw AppleIDError(.invalidAuthorizationRequest, objection)
        }
        var fields = [
            ("client_id", request.client.rawValue), ("redirect_uri", request.redirectURI),
            ("response_type", request.responseType.rawValue), ("response_mode", request.responseMode.rawValue),
        ]
        if !request.scopes.isEmpty {
            fields.append(("scope", request.scopes.map(\.rawValue).joined(separator: " ")))
        }
        fields.append(("state", request.state))
        if let nonce = request.nonce {
            fields.append(("nonce", nonce))
        }
        if let challenge = request.codeChallenge {
            fields += [("code_challenge", challenge), ("code_challenge_method", "S256")]
        }
        return server.authorizationURL + "?" + PercentEncoding.form(fields)
    }
}
