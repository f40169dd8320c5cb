import AccountDatabase
import AppleID
public import AppleIDTypes

/// Begins attempts: makes the address at Apple to which a browser goes, and writes what must fit when the browser is back.
struct WebAttempts: Sendable {
    /// How long a browser has to come back from Apple.
    static let lifetime: Duration = .minutes(10)

    let apple: AppleIDClient
    let configuration: AccountConfiguration
    let store: AccountTransactions
    let environment: AppleIDEnvironment

    /// The redirect URI that Apple sends its answer to; registered there for every Services ID.
    var redirectURI: String { configuration.publicURL.appending(SignIn.callbackPath) }

    /// Begins an attempt that ends in a session of the browser, or needs one, and writes it.
    ///
    /// Throws ``AccountError/Code/configuration`` when no Services ID is configured.
    func begin(
        _ purpose: Attempt.Purpose, returnPath: ReturnPath, session: SessionID?, browser: BrowserSecret?,
        choice: AttemptChoice? = nil
    ) async throws -> SignInBeginning {
        guard let client = configuration.webClient else {
            throw AccountError(.configuration, "no Services ID is configured, so there is no sign-in on the web")
        }
        var (attempt, beginning) = try prepare(
            Parameters(
                purpose: purpose, client: client, scopes: [.name, .email],
                nonce: Base64URL.text(environment.randomBytes(32)), returnPath: returnPath, session: session),
            browser: browser)
        attempt.choice = choice
        try await store.insertAttempt(attempt)
        return beginning
    }

    /// The values of an attempt, and of the request to Apple.
    struct Parameters: Sendable {
        var purpose: Attempt.Purpose
        var client: ClientID
        var scopes: [Scope]
        var nonce: String?
        var returnPath: ReturnPath = .account
        var session: SessionID?
        var authorization: AuthorizationID?
    }

    /// Makes an attempt, and the address at Apple to which the browser goes. It writes nothing.
    func prepare(
        _ parameters: Parameters, browser: BrowserSecret?
    ) throws -> (attempt: Attempt, beginning: SignInBeginning) {
        let now = Timestamp(environment.now())
        let browser = browser ?? BrowserSecret(randomness: environment.randomBytes(32))
        let state = Base64URL.text(environment.randomBytes(32))
        let location = try apple.authorizationURL(
            for: AuthorizationRequest(
                client: parameters.client, redirectURI: redirectURI, responseType: .codeIDToken,
                responseMode: .formPost,
                scopes: parameters.scopes, state: state, nonce: parameters.nonce))
        let attempt = Attempt(
            stateHash: TokenHash(of: state), browserHash: browser.hash, purpose: parameters.purpose,
            sessionID: parameters.session, clientID: parameters.client, nonce: parameters.nonce,
            returnPath: parameters.returnPath,
            authorizationID: parameters.authorization, createdAt: now, expiresAt: now + Self.lifetime)
        let request = SignInBeginning.Request(
            client: parameters.client, redirectURI: redirectURI, scopes: parameters.scopes, state: state,
            nonce: parameters.nonce)
        return (
            attempt,
            SignInBeginning(location: location, request: request, browser: browser, lifetime: Self.lifetime)
        )
    }
}

/// The name of a browser while it signs in: the value of a short-lived cookie. Only its hash is kept, with the attempt.
public struct BrowserSecret: RawRepresentable, Hashable, Sendable, Redacted, RandomSecret {
    /// 32 bytes in base64url.
    public let rawValue: String

    /// Takes a value that a client sent; nil unless it has the form of one that we made.
    public init?(rawValue: String) {
        guard Self.hasForm(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

/// The way of a browser to Apple or another provider, and back. The provider's answer ends it, once. It is found by its
/// `state`.
package struct Attempt: Hashable, Sendable, Redacted {
    /// The person's purpose. Recorded at the beginning, because the session cookie is not there at the end.
    package struct Purpose: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let signIn = Self(rawValue: "sign_in")
        /// An app's authorization; it makes no session.
        package static let authorization = Self(rawValue: "authorization")
        /// A proof that the person is still the one who opened the session.
        package static let reauthentication = Self(rawValue: "reauthenticate")
        /// A proof that the person is still the one who opened the session, and then the end of the account.
        package static let deletion = Self(rawValue: "delete")
        /// The account's person signs in with Apple from now on, and no more with a password.
        package static let upgrade = Self(rawValue: "upgrade")
        /// One more Apple Account opens the account of the session.
        package static let link = Self(rawValue: "link")
    }

    /// Hash of the `state` that Apple hands back.
    package var stateHash: TokenHash
    /// Hash of the value that the browser's cookie holds.
    package var browserHash: TokenHash
    package var purpose: Purpose
    /// The session that the browser had when it began.
    package var sessionID: SessionID?
    /// The Services ID that Apple was asked for.
    package var clientID: ClientID
    /// The nonce that Apple was given; Apple copies it into the token. Nil only for an app that gave none.
    package var nonce: String?
    /// The page that the browser goes to afterwards: a path of ours.
    package var returnPath: ReturnPath
    /// The authorization that Apple's answer is for, with ``Purpose/authorization``.
    package var authorizationID: AuthorizationID?
    /// The person's choice before they went to Apple, with ``Purpose/upgrade`` and ``Purpose/link``.
    package var choice: AttemptChoice?
    /// The other provider that the browser went to; nil for Apple. The provider's nonce is among the secrets, and ``nonce``
    /// is known to nobody.
    package var provider: SealedProviderAttempt?
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

    package init(
        stateHash: TokenHash, browserHash: TokenHash, purpose: Purpose, sessionID: SessionID?, clientID: ClientID,
        nonce: String?, returnPath: ReturnPath, authorizationID: AuthorizationID? = nil, createdAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.stateHash = stateHash
        self.browserHash = browserHash
        self.purpose = purpose
        self.sessionID = sessionID
        self.clientID = clientID
        self.nonce = nonce
        self.returnPath = returnPath
        self.authorizationID = authorizationID
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

extension Attempt {
    /// - Throws: ``AccountError/Code/attemptExpired`` if the browser has taken too long.
    func requireTime(at moment: Timestamp) throws(AccountError) {
        guard moment < expiresAt else {
            throw AccountError(.attemptExpired, "the sign-in was begun too long ago")
        }
    }
}

/// The choices that a person makes before a browser goes to a provider, for an upgrade or a link.
package struct AttemptChoice: Hashable, Sendable {
    /// The person's consent to the text that they have read.
    package var consent: ConsentGiven?
    /// Whether all other sessions of the account end, by an upgrade. A link ends none.
    package var endsOthers: Bool

    package init(consent: ConsentGiven?, endsOthers: Bool) {
        self.consent = consent
        self.endsOthers = endsOthers
    }
}

/// The secrets of an attempt at another provider than Apple, as the database keeps them.
package struct SealedProviderAttempt: Hashable, Sendable {
    package var provider: IdentityProvider
    package var sealed: [UInt8]

    package init(provider: IdentityProvider, sealed: [UInt8]) {
        self.provider = provider
        self.sealed = sealed
    }
}

extension AccountTransactions {
    package func insertAttempt(_ attempt: Attempt) async throws {
        _ = try await write { connection in
            try connection.insertAttempt(attempt)
        }
    }

    /// Removes and returns the attempt with this state at a provider; nil when there is none. The caller checks whether the
    /// attempt is too old.
    ///
    /// The answer of another provider doesn't find the attempt, and so doesn't use it up.
    package func takeAttempt(_ stateHash: TokenHash, at provider: IdentityProvider = .apple) async throws -> Attempt? {
        try await write { connection in
            try connection.first(.takeAttempt, [.hash(stateHash), .text(provider)]) { try Attempt(&$0) }
        }
    }

    /// Removes and returns the attempt with this state at a provider, if this browser began it. Otherwise the attempt
    /// stays; nil when there is none.
    /// - Throws: ``AccountError/Code/browserMismatch`` if another browser began it.
    func takeAttempt(
        _ stateHash: TokenHash, at provider: IdentityProvider, by browser: TokenHash?
    ) async throws -> Attempt? {
        try await write { connection in
            if let browser {
                let taken = try connection.first(
                    .takeAttemptOfBrowser, [.hash(stateHash), .text(provider), .hash(browser)]
                ) { try Attempt(&$0) }
                if let taken { return taken }
            }
            guard try connection.returnsRow(.findAttempt, [.hash(stateHash), .text(provider)]) else { return nil }
            throw AccountError(.browserMismatch, "the sign-in was begun in another browser, or its cookie is missing")
        }
    }
}

extension Attempt {
    /// - Parameter columns: those of `attemptColumns`.
    fileprivate init(_ columns: inout SQLColumns) throws {
        try self.init(
            stateHash: columns.hash(), browserHash: columns.hash(), purpose: columns.word(),
            sessionID: columns.optionalText().map(SessionID.init(rawValue:)),
            clientID: columns.word(), nonce: columns.text(), returnPath: columns.word(),
            createdAt: columns.time(), expiresAt: columns.time())
        authorizationID = try columns.optionalText().map(AuthorizationID.init(rawValue:))
        if try columns.optionalFlag() == true {
            nonce = nil
        }
        let consent = try columns.optionalText().map { ConsentGiven(textVersion: $0) }
        choice = try columns.optionalFlag().map { AttemptChoice(consent: consent, endsOthers: $0) }
        let name = try columns.optionalText().map(IdentityProvider.init(rawValue:))
        let sealed = try columns.optionalBytes()
        if let name, let sealed {
            provider = SealedProviderAttempt(provider: name, sealed: sealed)
        }
    }
}

extension SQLConnection {
    func insertAttempt(_ attempt: Attempt) throws {
        try execute(
            .insertAttempt,
            [
                .hash(attempt.stateHash), .hash(attempt.browserHash), .text(attempt.purpose),
                .id(orNull: attempt.sessionID), .text(attempt.clientID), .text(attempt.nonce ?? "none"),
                .text(attempt.returnPath), .time(attempt.createdAt), .time(attempt.expiresAt),
                .id(orNull: attempt.authorizationID), .flag(attempt.nonce == nil),
                .text(orNull: attempt.choice?.consent?.textVersion),
                attempt.choice.map { .flag($0.endsOthers) } ?? .null,
                .text(orNull: attempt.provider?.provider.rawValue),
                (attempt.provider?.sealed).map { .bytes($0) } ?? .null,
            ])
    }
}

extension SQLStatement {
    private static let attemptColumns: Self = """
        state_hash, browser_hash, purpose, session_id, client_id, nonce, return_path, created_at, expires_at,
        authorization_id, without_nonce, consent_version, ends_others, provider, sealed_provider
        """
    fileprivate static let insertAttempt: Self = """
        INSERT INTO attempts (\(attemptColumns))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        """
    fileprivate static let takeAttempt: Self = """
        DELETE FROM attempts WHERE state_hash = ?1 AND coalesce(provider, 'apple') = ?2
        RETURNING \(attemptColumns)
        """
    fileprivate static let takeAttemptOfBrowser: Self = """
        DELETE FROM attempts WHERE state_hash = ?1 AND coalesce(provider, 'apple') = ?2 AND browser_hash = ?3
        RETURNING \(attemptColumns)
        """
    fileprivate static let findAttempt: Self = """
        SELECT 1 FROM attempts WHERE state_hash = ?1 AND coalesce(provider, 'apple') = ?2
        """
}
