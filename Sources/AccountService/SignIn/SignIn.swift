public import AppleID
import AppleIDTypes
import Foundation
import Logging

/// Signs people in with Apple: through a browser, in two halves, and from an app, in one.
///
/// Web and app meet in the same steps: verify the identity token; keep the name, which Apple gives once; exchange the
/// code; then write account, identity, name, sealed refresh token and session in one transaction.
public struct SignIn: Sendable {
    /// How long a browser has to come back from Apple.
    static let attemptLifetime: Duration = .minutes(10)
    /// How old an identity token may be.
    static let tokenLifetime: Duration = .minutes(10)
    /// How long a note of something used must outlive it: the age limit and a minute for clocks that differ.
    static let spentLifetime: Duration = tokenLifetime + .minutes(1)
    static let keptNameLifetime: Duration = .days(30)
    public static let callbackPath = "/sign-in/apple/callback"

    let configuration: AccountConfiguration
    let apple: AppleIDClient
    let store: any AccountStore
    let sessions: Sessions
    let challenges: Challenges
    let tokenSeal: Seal
    let nameSeal: Seal
    let finishing: FinishingWork
    let environment: AppleIDEnvironment
    let logger: Logger

    // MARK: Web

    /// Begins a sign-in in a browser.
    /// - Parameters:
    ///   - returnPath: where the browser goes afterwards.
    ///   - browser: the value of its cookie, if it has one: two tabs share it.
    ///   - session: the session that the browser has, if any: a new one will end it. It is noted now, because the session
    ///     cookie does not come along when Apple sends the browser back.
    /// - Throws: ``AccountError/Code/configuration`` when no Services ID is configured.
    public func begin(
        returnPath: ReturnPath = .account, browser: BrowserSecret?, session: SessionID? = nil
    ) async throws -> SignInBeginning {
        guard let client = configuration.webClient else {
            throw AccountError(.configuration, "no Services ID is configured, so there is no sign-in on the web")
        }
        let now = Timestamp(environment.now())
        let browser = browser ?? BrowserSecret(randomness: environment.randomBytes(32))
        let state = Base64URL.text(environment.randomBytes(32))
        let nonce = Base64URL.text(environment.randomBytes(32))
        let location = try apple.authorizationURL(
            for: AuthorizationRequest(
                client: client, redirectURI: redirectURI, responseType: .codeIDToken, responseMode: .formPost,
                scopes: [.name, .email], state: state, nonce: nonce))
        try await store.insertAttempt(
            Attempt(
                stateHash: TokenHash(of: state), browserHash: browser.hash, purpose: .signIn,
                sessionID: session, clientID: client, nonce: nonce, returnPath: returnPath, createdAt: now,
                expiresAt: now + Self.attemptLifetime))
        return SignInBeginning(location: location, browser: browser, lifetime: Self.attemptLifetime)
    }

    /// Finishes a sign-in in a browser, with what Apple's form brought.
    ///
    /// From here on the work is not the request's any more: a browser that leaves does not stop it.
    public func finish(_ response: AuthorizationResponse, browser: BrowserSecret?) async throws -> WebSignIn {
        try await finishing.perform { [self] in
            let attempt = try await takeAttempt(of: response, browser: browser)
            if let error = response.error {
                guard error == .userCancelledAuthorize else {
                    throw AccountError(.refusedByApple, "Apple ended the sign-in with an error")
                }
                throw AccountError(.cancelled, "the person cancelled the sign-in")
            }
            guard let token = response.identityToken else {
                throw AccountError(.identityTokenMissing, "Apple's answer has no identity token")
            }
            guard let code = response.code else {
                throw AccountError(.codeMissing, "Apple's answer has no authorization code")
            }
            let identity = try await apple.identityVerifier.verify(
                token,
                expecting: IdentityExpectation(
                    audiences: [attempt.clientID], nonce: .issued(attempt.nonce),
                    authorizationCode: .required(code.rawValue)))
            let proven = Proven(
                identity: identity, code: code, redirectURI: redirectURI,
                name: PersonName(givenName: response.user?.firstName, familyName: response.user?.lastName),
                nonceSpent: nil)
            let (outcome, secret) = try await complete(
                proven, session: .browser, attempt: attempt)
            return WebSignIn(
                account: outcome.account, isNewAccount: outcome.isNewAccount, sessionCookie: secret.text,
                cookieLifetime: configuration.sessionLimits.absolute, returnPath: attempt.returnPath)
        }
    }

    /// Takes the attempt that this answer belongs to: spent, whatever follows.
    private func takeAttempt(of response: AuthorizationResponse, browser: BrowserSecret?) async throws -> Attempt {
        guard let state = response.state, let attempt = try await store.takeAttempt(TokenHash(of: state)) else {
            throw AccountError(.attemptUnknown, "no sign-in with this state is under way")
        }
        guard attempt.purpose == .signIn else {
            throw AccountError(.attemptUnknown, "the attempt with this state is no sign-in")
        }
        guard let browser, browser.hash == attempt.browserHash else {
            throw AccountError(.browserMismatch, "the sign-in was begun in another browser, or its cookie is missing")
        }
        guard Timestamp(environment.now()) < attempt.expiresAt else {
            throw AccountError(.attemptExpired, "the sign-in was begun too long ago")
        }
        return attempt
    }

    private var redirectURI: String { configuration.publicURL.appending(Self.callbackPath) }

    // MARK: Native

    /// Signs a person in with what Apple gave an app on their device.
    ///
    /// Throws ``AppleIDError`` for a token that does not verify or a code that Apple refuses, and ``AccountError`` with
    /// ``AccountError/Code/nonceInvalid``, ``AccountError/Code/challengeInvalid``, ``AccountError/Code/tokenTooOld``,
    /// ``AccountError/Code/codeMissing``, ``AccountError/Code/identityMismatch`` or ``AccountError/Code/alreadyUsed``.
    public func native(_ request: NativeSignIn) async throws -> TokenSignIn {
        try await finishing.perform { [self] in
            let nonce = try ClientNonce(request.nonce, for: .signIn, session: nil, challenges: challenges)
            let identity = try await apple.identityVerifier.verify(
                request.identityToken,
                expecting: IdentityExpectation(
                    audiences: configuration.nativeClients, nonce: nonce.expectation,
                    authorizationCode: (request.authorizationCode?.rawValue).map(HashExpectation.ifPresent)))
            let proven = Proven(
                identity: identity, code: request.authorizationCode, redirectURI: nil, name: request.name,
                nonceSpent: nonce.spent(
                    audience: identity.audience, until: Timestamp(environment.now()) + Self.spentLifetime))
            let (outcome, secret) = try await complete(proven, session: .tokens, attempt: nil)
            return TokenSignIn(
                account: outcome.account, isNewAccount: outcome.isNewAccount,
                tokens: try sessions.tokens(for: outcome.session, refreshToken: secret))
        }
    }
}
