import AppleID
import AppleIDTypes

/// Sends browsers to Apple: for a sign-in of their own, and for the authorization of an app.
struct WebAttempts: Sendable {
    /// How long a browser has to come back from Apple.
    static let lifetime: Duration = .minutes(10)

    let apple: AppleIDClient
    let publicURL: PublicURL
    let environment: AppleIDEnvironment

    /// Where Apple sends its answer; registered there for every Services ID.
    var redirectURI: String { publicURL.appending(SignIn.callbackPath) }

    /// What shall be asked of Apple.
    struct Order: Sendable {
        var purpose: Attempt.Purpose
        var client: ClientID
        var scopes: [Scope]
        var nonce: String?
        var returnPath: ReturnPath = .account
        var session: SessionID?
        var authorization: AuthorizationID?
    }

    /// An attempt, for the store, and the way to Apple; nothing is written.
    func prepare(
        _ order: Order, browser: BrowserSecret?
    ) throws -> (attempt: Attempt, beginning: SignInBeginning) {
        let now = Timestamp(environment.now())
        let browser = browser ?? BrowserSecret(randomness: environment.randomBytes(32))
        let state = Base64URL.text(environment.randomBytes(32))
        let location = try apple.authorizationURL(
            for: AuthorizationRequest(
                client: order.client, redirectURI: redirectURI, responseType: .codeIDToken, responseMode: .formPost,
                scopes: order.scopes, state: state, nonce: order.nonce))
        let attempt = Attempt(
            stateHash: TokenHash(of: state), browserHash: browser.hash, purpose: order.purpose,
            sessionID: order.session, clientID: order.client, nonce: order.nonce, returnPath: order.returnPath,
            authorizationID: order.authorization, createdAt: now, expiresAt: now + Self.lifetime)
        let request = SignInBeginning.Request(
            client: order.client, redirectURI: redirectURI, scopes: order.scopes, state: state, nonce: order.nonce)
        return (
            attempt,
            SignInBeginning(location: location, request: request, browser: browser, lifetime: Self.lifetime)
        )
    }
}
