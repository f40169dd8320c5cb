public import AppleIDTypes

/// What a browser is sent to Apple with. Printing or mirroring it shows neither state nor nonce.
public struct AuthorizationRequest: Sendable, Redacted {
    /// A client of kind ``AppleClient/Kind/service``.
    public var client: ClientID
    /// Byte for byte one of the return URLs registered for the Services ID.
    public var redirectURI: String
    /// A code with an identity token beside it, unless a code alone will do.
    public var responseType: ResponseType
    /// Has to be ``/AppleIDTypes/ResponseMode/formPost`` as soon as a scope is asked for.
    public var responseMode: ResponseMode
    /// Asked for each time, though Apple gives name and address with the first authorization only.
    public var scopes: [Scope]
    /// Comes back beside the code; names the attempt. ``AppleIDClient/makeState()`` makes one.
    public var state: String
    /// Comes back inside the identity token, verbatim. ``AppleIDClient/makeNonce()`` makes one. Nil only where the
    /// nonce is another's to choose and that one chose none: then state, cookie and `c_hash` alone tie Apple's answer
    /// to the browser.
    public var nonce: String?
    /// The S256 challenge of RFC 7636, as ``CodeVerifier/challenge``. Apple honours it without documenting it; its
    /// verifier must then be sent with the code.
    public var codeChallenge: String?

    /// What is not given is as a web sign-in wants it: code and identity token in a posted form, without PKCE.
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
