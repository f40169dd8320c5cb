public import AppleIDTypes

/// Where a browser goes to sign in, and what it must bring back.
public struct SignInBeginning: Hashable, Sendable, Redacted {
    /// Apple's page, with everything that Apple needs to know.
    public var location: String
    /// The same in pieces, for a page that goes to Apple by Apple's script.
    public var request: Request
    /// For the browser's cookie; the one it had, if it had one.
    public var browser: BrowserSecret
    /// How long the attempt is good for; the cookie must last at least as long.
    public var lifetime: Duration

    /// What Apple is asked for; each is in ``location`` too.
    public struct Request: Hashable, Sendable, Redacted {
        public var client: ClientID
        public var redirectURI: String
        public var scopes: [Scope]
        public var state: String
        public var nonce: String?
    }
}
