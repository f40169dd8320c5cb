import AppleIDTransport
public import AppleIDTypes

/// A request for authorization, with which a browser is sent to Apple. Printing or mirroring it shows nothing of it.
public struct AuthorizationRequest: Sendable, Redacted {
    /// The client that asks, of kind ``ClientRegistration/Kind/service``.
    public var client: ClientID
    /// The redirect URI: byte for byte one of the return URLs registered for the Services ID.
    public var redirectURI: String
    /// The kind of answer: a code with an identity token beside it, unless a code alone is enough.
    public var responseType: ResponseType
    /// The way in which the answer comes back: ``/AppleIDTypes/ResponseMode/formPost`` if the request has a scope.
    public var responseMode: ResponseMode
    /// The scopes to ask for each time, though Apple gives name and address with the first authorization only.
    public var scopes: [Scope]
    /// The state, which comes back beside the code and names the attempt. It has at most 1,024 bytes.
    /// ``AppleIDClient/makeState()`` makes one.
    public var state: String
    /// The nonce, which comes back inside the identity token, verbatim. ``AppleIDClient/makeNonce()`` makes one.
    ///
    /// Leave it out only if an app of yours chooses the nonce and chose none. Then state, cookie and `c_hash` alone tie
    /// Apple's answer to the browser.
    public var nonce: String?
    /// The S256 challenge of RFC 7636, as ``CodeVerifier/challenge``. Apple honours it without documenting it; its
    /// verifier must then be sent with the code.
    public var codeChallenge: String?

    /// Creates a request. The default values suit a sign-in on the web: code and identity token in a posted form,
    /// without PKCE.
    public init(
        client: ClientID, redirectURI: String, responseType: ResponseType = .codeIDToken,
        responseMode: ResponseMode = .formPost, scopes: [Scope], state: String, nonce: String?,
        codeChallenge: String? = nil
    ) {
        self.client = client
        self.redirectURI = redirectURI
        self.responseType = responseType
        self.responseMode = responseMode
        self.scopes = scopes
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
    }
}

extension AppleIDClient {
    /// Returns the URL to send a browser to.
    ///
    /// Apple refuses some requests on a page of its own, and never sends the browser back (Apple's "Request an
    /// authorization to the Sign in with Apple server"). This method refuses those that are known.
    /// - Throws: ``AppleIDError/Code/unknownClient`` or ``AppleIDError/Code/invalidAuthorizationRequest``.
    public func authorizationURL(for request: AuthorizationRequest) throws(AppleIDError) -> String {
        // A code of an app is redeemed without a redirect URI, so no sign-in on the web could end with it.
        guard try client(request.client).kind == .service else {
            throw AppleIDError(
                .invalidAuthorizationRequest, "a browser is sent to Apple by a Services ID, and this client is an app")
        }
        guard [.code, .codeIDToken].contains(request.responseType) else {
            throw AppleIDError(.invalidAuthorizationRequest, "the response type is neither code nor code id_token")
        }
        guard [.query, .fragment, .formPost, .webMessage].contains(request.responseMode) else {
            throw AppleIDError(.invalidAuthorizationRequest, "the response mode is none of Apple's")
        }
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
        guard request.state.utf8.count <= AuthorizationResponse.maximumStateBytes else {
            throw AppleIDError(
                .invalidAuthorizationRequest,
                "the state is longer than the \(AuthorizationResponse.maximumStateBytes) bytes that a callback may bring back"
            )
        }
        // If it were empty, anybody who has the code could redeem it.
        guard request.codeChallenge?.isEmpty != true else {
            throw AppleIDError(.invalidAuthorizationRequest, "the code challenge is empty")
        }
        // An emulator may accept other addresses. It checks them itself.
        if server.isApple, let objection = RedirectURI.objection(to: request.redirectURI) {
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

/// Apple's rules for redirect URIs (Apple's "Configuring your environment for Sign in with Apple").
package enum RedirectURI {
    /// The reason why Apple would answer "Invalid web redirect url." whatever is registered; nil when it depends on
    /// that.
    package static func objection(to text: String) -> String? {
        guard text.hasPrefix("https://") else { return "a redirect URI of Apple's begins with https://" }
        guard !text.utf8.contains(UInt8(ascii: "#")) else { return "a redirect URI has no fragment" }
        let host = text.dropFirst("https://".count).prefix { !"/?:".contains($0) }.lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // No top-level domain is a number, so the last label tells an IPv4 address; an IPv6 address has brackets.
        guard labels.count >= 2, labels.last?.allSatisfy(\.isNumber) == false, host.first != "[",
            labels.last != "localhost", labels.allSatisfy({ !$0.isEmpty })
        else { return "the host of a redirect URI is a domain name, neither an address nor localhost" }
        return nil
    }
}
