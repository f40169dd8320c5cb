public import AppleIDTypes

/// What a browser is sent to Apple with.
public struct AuthorizationRequest: Sendable {
    public var client: ClientID
    /// Byte for byte one of the return URLs registered for the Services ID.
    public var redirectURI: String
    public var responseType: ResponseType
    /// Has to be ``/AppleIDTypes/ResponseMode/formPost`` as soon as a scope is asked for.
    public var responseMode: ResponseMode
    public var scopes: [Scope]
    /// Comes back beside the code; names the attempt.
    public var state: String
    /// Comes back inside the identity token, verbatim. Nil only where the nonce is another's to choose and that one chose
    /// none: then state, cookie and `c_hash` alone tie Apple's answer to the browser.
    public var nonce: String?
    /// The S256 challenge of RFC 7636. Apple honours it without documenting it; its verifier must then be sent with the
    /// code.
    public var codeChallenge: String?

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
