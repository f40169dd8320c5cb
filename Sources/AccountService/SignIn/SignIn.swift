import AppleID
public import AppleIDTypes

/// Signs people in: through a browser, in two halves, and from an app, in one.
///
/// Every sign-in has the same two steps. ``CredentialVerifier`` checks the credential: it verifies the identity token,
/// keeps the name, which Apple gives once, and has the code exchanged. Then one transaction writes account, identity,
/// name, sealed refresh token and session.
///
/// It is a class because it is large, and each sign-in hands it to a task of its own.
public final class SignIn: Sendable {
    /// The path of the redirect URI that is registered at Apple for every Services ID.
    public static let callbackPath = "/sign-in/apple/callback"

    private let attempts: WebAttempts
    private let verifier: CredentialVerifier
    private let vault: AppleTokenVault
    private let sessions: Sessions
    private let store: AccountTransactions
    private let finishing: FinishingWork
    private let mail: MailWriter
    private let environment: AppleIDEnvironment

    init(
        attempts: WebAttempts, verifier: CredentialVerifier, vault: AppleTokenVault, sessions: Sessions,
        store: AccountTransactions, finishing: FinishingWork, mail: MailWriter, environment: AppleIDEnvironment
    ) {
        self.attempts = attempts
        self.verifier = verifier
        self.vault = vault
        self.sessions = sessions
        self.store = store
        self.finishing = finishing
        self.mail = mail
        self.environment = environment
    }

    /// Begins a sign-in in a browser. ``AppleCallback/finish(_:browser:from:)`` ends it.
    /// - Parameters:
    ///   - returnPath: where the browser goes afterwards.
    ///   - browser: the value of its cookie, if it has one: two tabs share it.
    ///   - session: the session that the browser has, if any: a new one will end it. It is noted now, because the
    ///     session cookie does not come along when Apple sends the browser back.
    /// - Throws: ``AccountError/Code/configuration`` when no Services ID is configured.
    public func begin(
        returnPath: ReturnPath = .account, browser: BrowserSecret?, session: SessionID? = nil
    ) async throws -> SignInBeginning {
        try await attempts.begin(.signIn, returnPath: returnPath, session: session, browser: browser)
    }

    /// Ends what ``begin(returnPath:browser:session:)`` began, for an attempt that was taken and is not too old.
    func finish(
        _ attempt: Attempt, with credential: Credential, from caller: Caller
    ) async throws -> WebSignIn {
        let proven = try await verifier.prove(credential, for: .signIn, from: caller)
        let (outcome, secret) = try await write(proven, session: .browser, attempt: attempt, from: caller)
        return sessions.answer(to: outcome, secret: secret, returnPath: attempt.returnPath)
    }

    /// Signs a person in with what an app has: Apple's identity token and nonce, with or without a code; a code alone;
    /// or a code of ours, with or without the token that came with it.
    ///
    /// Throws ``AppleIDError`` for a token that does not verify, a nonce that does not fit and a code that is not
    /// redeemed, and ``AccountError`` with ``AccountError/Code/requestInvalid``, ``AccountError/Code/nonceInvalid``,
    /// ``AccountError/Code/challengeInvalid``, ``AccountError/Code/tokenTooOld``, ``AccountError/Code/codeMissing``,
    /// ``AccountError/Code/identityMismatch``, ``AccountError/Code/alreadyUsed`` or, for codes alone,
    /// ``AccountError/Code/rateLimited``.
    /// - Parameter caller: its address counts the codes that Apple refuses.
    public func native(_ request: NativeSignIn, from caller: Caller) async throws -> TokenSignIn {
        try await native(Credential(request), from: caller)
    }

    /// Signs a person in with the credential of an app.
    func native(_ credential: Credential, from caller: Caller) async throws -> TokenSignIn {
        try await finishing.perform { [self] in
            let proven = try await verifier.prove(credential, for: .signIn, from: caller)
            let (outcome, secret) = try await write(proven, session: .tokens, attempt: nil, from: caller)
            return try sessions.answer(to: outcome, secret: secret)
        }
    }

    /// The one transaction of a sign-in.
    private func write(
        _ proven: ProvenCredential, session kind: Session.Kind, attempt: Attempt?, from caller: Caller
    ) async throws -> (SignInOutcome, SessionSecret) {
        let moment = proven.at
        let (session, secret) = sessions.prepare(
            kind, clientID: proven.client, browserHash: attempt?.browserHash,
            authenticatedAt: proven.authenticatedAt, hasNonceProof: proven.hasNonceProof, at: moment)
        var record = SignInRecord(
            of: proven.person, session: session, formerSession: attempt?.sessionID, at: moment, from: caller,
            mail: mail, environment: environment)
        record.used = proven.used
        record.ownCode = proven.ownCode
        record.name = proven.name
        record.openPendingProfile = verifier.names.open
        record.appleToken = proven.apple?.appleToken
        record.waitingCode = proven.apple?.waitingCode
        record.twoAccountsMail = TwoAccountsMail(writer: mail, at: moment, languages: caller.languages)
        let outcome = try await vault.keepingToken(of: proven) { [record] in
            try await vault.loggingIncompleteTransfer(for: proven.client) { try await store.signIn(record) }
        }
        return (outcome, secret)
    }
}

extension SignInRecord {
    /// Makes a record with what every kind of sign-in writes. The session gets the caller's device name.
    /// - Parameter mail: writes the mail about a new device.
    init(
        of person: Person, session: NewSession, formerSession: SessionID?, at moment: Timestamp, from caller: Caller,
        mail: MailWriter, environment: AppleIDEnvironment
    ) {
        self.init(
            at: moment, used: [], person: person,
            newAccountID: AccountID(at: moment, randomness: environment.randomBytes(10)),
            newIdentityID: IdentityID(at: moment, randomness: environment.randomBytes(10)), name: nil,
            openPendingProfile: { _ in nil }, appleToken: nil, session: session, formerSession: formerSession)
        self.caller = caller
        self.session.deviceName = caller.device
        newDeviceMail = NewDeviceMail(writer: mail, at: moment)
    }
}

extension Sessions {
    /// Makes the answer to an app for which a sign-in has opened a session. Notifies the accounts that the sign-in concerns.
    func answer(to outcome: SignInOutcome, secret: SessionSecret) throws -> TokenSignIn {
        notify(of: outcome)
        return TokenSignIn(
            account: outcome.account, isNewAccount: outcome.isNewAccount,
            tokens: try tokens(for: outcome.session, refreshToken: secret))
    }

    /// Makes the answer to a browser for which a sign-in has opened a session. Notifies the accounts that the sign-in
    /// concerns.
    func answer(to outcome: SignInOutcome, secret: SessionSecret, returnPath: ReturnPath) -> WebSignIn {
        notify(of: outcome)
        return WebSignIn(
            account: outcome.account, isNewAccount: outcome.isNewAccount, sessionCookie: secret.text,
            cookieLifetime: limits.absolute, returnPath: returnPath)
    }

    /// Makes the answer to a browser that got a new session because its person has proven again who they are. Notifies
    /// the account.
    func answer(toProofBy account: Account, secret: SessionSecret, returnPath: ReturnPath) -> WebSignIn {
        bell.notify(account.id)
        return WebSignIn(
            account: account, isNewAccount: false, sessionCookie: secret.text, cookieLifetime: limits.absolute,
            returnPath: returnPath)
    }

    private func notify(of outcome: SignInOutcome) {
        for account in outcome.replaced.union([outcome.account.id]) { bell.notify(account) }
    }
}

/// The credential that an app presents after its person signed in with Apple.
public struct NativeSignIn: Sendable, Redacted {
    /// Apple's identity token, in compact form; nil when the app has the code alone.
    public var identityToken: String?
    /// Apple's code, or a code of ours in its place. Apple's code is exchanged, so that Apple's token can be revoked when the
    /// account is deleted.
    public var authorizationCode: AuthorizationCode?
    /// The raw nonce: a challenge of ours, or one that the app made and gave Apple as its lowercase hexadecimal
    /// SHA-256. Nil only when Apple was given none.
    public var nonce: String?
    /// The client of the code, where no identity token says so: a bundle id, or any client of the app for a code of ours.
    public var clientID: ClientID?
    /// The person's name. Apple gives it to the app once, and the app may send it until a sign-in has succeeded.
    public var name: PersonName?

    /// Makes a request. Whether its parts fit together is checked when it is used.
    public init(
        identityToken: String?, authorizationCode: AuthorizationCode? = nil, nonce: String?, clientID: ClientID? = nil,
        name: PersonName? = nil
    ) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.clientID = clientID
        self.name = name
    }
}

/// A sign-in that an app has finished.
public struct TokenSignIn: Sendable {
    /// The account that the person is signed in to.
    public var account: Account
    /// Whether this sign-in made the account.
    public var isNewAccount: Bool
    /// The session's tokens.
    public var tokens: SessionTokens
}

/// A sign-in that a browser has finished.
public struct WebSignIn: Sendable, Redacted {
    /// The account that the person is signed in to.
    public var account: Account
    /// Whether this sign-in made the account.
    public var isNewAccount: Bool
    /// The value of the session cookie.
    public var sessionCookie: String
    /// How long the browser should keep the cookie; the server may end the session sooner.
    public var cookieLifetime: Duration
    /// The path that the browser goes to.
    public var returnPath: ReturnPath
}

/// The address at Apple to which a browser goes, and the cookie that it must bring back.
public struct SignInBeginning: Hashable, Sendable, Redacted {
    /// Apple's page, with everything that Apple needs to know.
    public var location: String
    /// The parameters in ``location``, for a page that goes to Apple by Apple's script.
    package var request: Request
    /// The value of the browser's cookie. A browser that had one keeps it.
    public var browser: BrowserSecret
    /// How long the attempt is good for; the cookie must last at least as long.
    public var lifetime: Duration
    /// The id of the other provider that the browser goes to; nil for Apple.
    public var provider: String?

    /// The parameters of a request to Apple; each is in ``SignInBeginning/location`` too.
    package struct Request: Hashable, Sendable, Redacted {
        /// The Services ID that asks.
        package var client: ClientID
        /// The URL that Apple sends its answer to.
        package var redirectURI: String
        /// The data that the person is asked for.
        package var scopes: [Scope]
        /// The text that names the attempt.
        package var state: String
        /// The nonce that Apple's identity token shall carry.
        package var nonce: String?
    }
}
