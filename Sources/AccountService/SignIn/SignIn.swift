public import AppleID
import AppleIDTypes
import Foundation
import Logging

/// Signs people in with Apple: through a browser, in two halves, and from an app, in one.
///
/// Web and app meet in the same steps: verify the identity token; keep the name, which Apple gives once; exchange the
/// code; then write account, identity, name, sealed refresh token and session in one transaction. The authorization of
/// an app takes the first half of that road and ends without account or session.
///
/// A class, because each sign-in takes all of it along into a task of its own.
public final class SignIn: Sendable {
    /// How old an identity token may be.
    static let tokenLifetime: Duration = .minutes(10)
    /// How long a note of something used must outlive it: the age limit and a minute for clocks that differ.
    static let spentLifetime: Duration = tokenLifetime + .minutes(1)
    static let keptNameLifetime: Duration = .days(30)
    /// How long revocations of a person's old tokens rest while they sign in: longer than Apple can be waited for.
    static let revocationPause: Duration = .minutes(2)
    /// In bytes, of an authorization code.
    static let maximumCode = 1_024
    /// Codes that came alone and that Apple refused are counted in windows of this length.
    static let refusedCodeWindow: Duration = .minutes(10)
    /// No person's app comes near it. Behind a proxy that this service does not trust everybody has one address; who
    /// uses the limit up there stops the sign-ins with a code alone, and no others.
    static let refusedCodesPerAddress: Int64 = 100
    public static let callbackPath = "/sign-in/apple/callback"

    let configuration: AccountConfiguration
    let apple: AppleIDClient
    let attempts: WebAttempts
    let store: any AccountStore
    let sessions: Sessions
    let deletions: Deletions
    let challenges: Challenges
    let tokenSeal: Seal
    let codeSeal: Seal
    let nameSeal: Seal
    let authorizationSeal: Seal
    let finishing: FinishingWork
    let codeExchanges: CodeExchanges
    let environment: AppleIDEnvironment
    let instrumentation: AppleIDInstrumentation
    let logger: Logger

    init(
        configuration: AccountConfiguration, apple: AppleIDClient, attempts: WebAttempts, store: any AccountStore,
        sessions: Sessions, deletions: Deletions, challenges: Challenges, tokenSeal: Seal, codeSeal: Seal,
        nameSeal: Seal, authorizationSeal: Seal, finishing: FinishingWork, codeExchanges: CodeExchanges,
        environment: AppleIDEnvironment, instrumentation: AppleIDInstrumentation, logger: Logger
    ) {
        self.configuration = configuration
        self.apple = apple
        self.attempts = attempts
        self.store = store
        self.sessions = sessions
        self.deletions = deletions
        self.challenges = challenges
        self.tokenSeal = tokenSeal
        self.codeSeal = codeSeal
        self.nameSeal = nameSeal
        self.authorizationSeal = authorizationSeal
        self.finishing = finishing
        self.codeExchanges = codeExchanges
        self.environment = environment
        self.instrumentation = instrumentation
        self.logger = logger
    }

    var now: Timestamp { Timestamp(environment.now()) }

    // MARK: Web

    /// Begins a sign-in in a browser.
    /// - Parameters:
    ///   - returnPath: where the browser goes afterwards.
    ///   - browser: the value of its cookie, if it has one: two tabs share it.
    ///   - session: the session that the browser has, if any: a new one will end it. It is noted now, because the
    ///     session cookie does not come along when Apple sends the browser back.
    /// - Throws: ``AccountError/Code/configuration`` when no Services ID is configured.
    public func begin(
        returnPath: ReturnPath = .account, browser: BrowserSecret?, session: SessionID? = nil
    ) async throws -> SignInBeginning {
        let client = try requiredWebClient()
        let (attempt, beginning) = try attempts.prepare(
            WebAttempts.Order(
                purpose: .signIn, client: client, scopes: [.name, .email],
                nonce: Base64URL.text(environment.randomBytes(32)), returnPath: returnPath, session: session),
            browser: browser)
        try await store.insertAttempt(attempt)
        return beginning
    }

    func requiredWebClient() throws(AccountError) -> ClientID {
        guard let client = configuration.webClient else {
            throw AccountError(.configuration, "no Services ID is configured, so there is no sign-in on the web")
        }
        return client
    }

    /// Finishes what a browser began, with what Apple's form brought: a sign-in of its own, or an app's authorization.
    ///
    /// From here on the work is not the request's any more: a browser that leaves does not stop it. What goes wrong
    /// with an authorization, from the moment that the answer is known to be this browser's, is the authorization's and
    /// is not thrown.
    public func finish(
        _ response: AuthorizationResponse, browser: BrowserSecret?, from caller: Caller = .unknown
    ) async throws -> WebEnding {
        try await finishing.perform { [self] in
            let attempt = try await takeAttempt(of: response, browser: browser)
            switch (attempt.purpose, attempt.authorizationID) {
            case (.signIn, nil):
                try requireTime(of: attempt)
                return .signIn(try await signIn(by: attempt, response, from: caller))
            case (.reauthentication, nil):
                try requireTime(of: attempt)
                if response.error == .userCancelledAuthorize { return .cancelled(attempt.returnPath) }
                return .signIn(try await reauthenticate(by: attempt, response, from: caller))
            case (.deletion, nil):
                try requireTime(of: attempt)
                if response.error == .userCancelledAuthorize { return .cancelled(attempt.returnPath) }
                let (former, settled) = try await settleAnew(attempt, response)
                return .deleted(
                    try await keeping(try unwritten(settled)) {
                        try await deletions.delete(in: former.session, at: settled.at, by: settled, from: caller)
                    })
            case (.authorization, let id?):
                // The attempt lives no shorter than the authorization, which judges its own time.
                do {
                    try await authorize(id, by: attempt, response)
                } catch {
                    try await note(error, in: id, by: attempt)
                }
                return .authorization(id)
            default:
                // Never a session for what was begun as something else.
                throw AccountError(.attemptUnknown, "the attempt with this state is no sign-in and no authorization")
            }
        }
    }

    private func requireTime(of attempt: Attempt) throws(AccountError) {
        guard now < attempt.expiresAt else {
            throw AccountError(.attemptExpired, "the sign-in was begun too long ago")
        }
    }

    /// Takes the attempt that this answer belongs to: spent, whatever follows.
    private func takeAttempt(of response: AuthorizationResponse, browser: BrowserSecret?) async throws -> Attempt {
        guard let state = response.state, let attempt = try await store.takeAttempt(TokenHash(of: state)) else {
            throw AccountError(.attemptUnknown, "no sign-in with this state is under way")
        }
        guard let browser, browser.hash == attempt.browserHash else {
            keepName(in: response, withoutBrowserOf: attempt)
            throw AccountError(.browserMismatch, "the sign-in was begun in another browser, or its cookie is missing")
        }
        return attempt
    }

    private func signIn(
        by attempt: Attempt, _ response: AuthorizationResponse, from caller: Caller
    ) async throws -> WebSignIn {
        let proven = try await prove(response, by: attempt)
        let (outcome, secret) = try await write(
            try await settle(proven, for: .signIn), session: .browser, attempt: attempt, from: caller)
        return WebSignIn(
            account: outcome.account, isNewAccount: outcome.isNewAccount, sessionCookie: secret.text,
            cookieLifetime: configuration.sessionLimits.absolute, returnPath: attempt.returnPath)
    }

    /// The front channel: the form that Apple had the browser post.
    func prove(_ response: AuthorizationResponse, by attempt: Attempt) async throws -> Proven {
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
        let nonce = attempt.nonce.map { NonceExpectation.issued($0) } ?? .absent
        let identity = try await apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(
                audiences: [attempt.clientID], nonce: nonce,
                authorizationCode: .required(code.rawValue)))
        return Proven(
            identity: identity, identityToken: token, nonce: nonce, code: code, redirectURI: attempts.redirectURI,
            name: PersonName(givenName: response.user?.firstName, familyName: response.user?.lastName),
            nonceSpent: nil)
    }
}
