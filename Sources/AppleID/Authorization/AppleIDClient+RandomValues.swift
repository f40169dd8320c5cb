extension AppleIDClient {
    /// A value that nobody can guess, for one sign-in: keep it for ten minutes or so, and take it away with the first
    /// use.
    ///
    /// 43 characters of base64url, made from 32 bytes of ``AppleIDEnvironment/randomBytes``; so are the other two.
    public func makeNonce() -> String { randomText() }

    /// The same for ``AuthorizationRequest/state``. Keep it where only the browser's own request finds it, in a cookie
    /// or beside one, and compare by ``AuthorizationResponse/hasState(_:)``.
    public func makeState() -> String { randomText() }

    /// The same for a code that only this server can redeem.
    public func makeCodeVerifier() -> CodeVerifier { CodeVerifier(randomText()) }

    private func randomText() -> String { Base64URL.text(environment.randomBytes(32)) }
}
