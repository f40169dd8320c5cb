import AccountDatabase
import AppleID
public import AppleIDTypes

/// Renews the freshness of sessions: the person proves again that they are the one who signed in.
public struct Reauthentications: Sendable {
    let attempts: WebAttempts
    let verifier: CredentialVerifier
    let vault: AppleTokenVault
    let sessions: Sessions
    let store: AccountTransactions
    let finishing: FinishingWork

    /// Renews the freshness of an app's session by a credential of the same person, with a challenge made for that.
    ///
    /// Throws like ``SignIn/native(_:from:)``, and ``AccountError`` with ``AccountError/Code/credentialMismatch`` for
    /// another person's credential or ``AccountError/Code/sessionEnded``.
    public func reauthenticate(_ session: StoredSession, with request: NativeSignIn, from caller: Caller) async throws
        -> Reauthenticated
    {
        try await reauthenticate(session, by: Credential(request), from: caller)
    }

    /// Renews the freshness of an app's session by a credential.
    func reauthenticate(
        _ session: StoredSession, by credential: Credential, from caller: Caller
    ) async throws -> Reauthenticated {
        try await finishing.perform { [self] in
            let purpose = CredentialPurpose.freshProof(
                .reauthenticate, session: session.session.id, try await sessions.identity(of: session.session))
            let proven = try await verifier.prove(credential, for: purpose, from: caller)
            let renewed = try await write(proven, to: session.session.id, successor: nil, from: caller)
            return Reauthenticated(
                authenticatedAt: renewed.authenticatedAt,
                accessToken: try sessions.accessToken(for: renewed, generation: session.generation),
                expiresIn: SessionLimits.accessToken)
        }
    }

    /// Begins a reauthentication in a browser. ``AppleCallback/finish(_:browser:from:)`` ends it.
    ///
    /// The session is noted now: its cookie does not come along when Apple sends the browser back.
    /// - Parameter returnPath: where the browser goes afterwards, and when the person cancels.
    public func begin(
        in session: StoredSession, returnPath: ReturnPath, browser: BrowserSecret?
    ) async throws -> SignInBeginning {
        try await attempts.begin(
            .reauthentication, returnPath: returnPath, session: session.session.id, browser: browser)
    }

    /// Ends what ``begin(in:returnPath:browser:)`` began, for an attempt that was taken and is not too old: the browser
    /// gets a new session, and its old one ends.
    func finish(
        _ attempt: Attempt, with credential: Credential, from caller: Caller
    ) async throws -> WebSignIn {
        let former = try await sessions.session(inWhichBegan: attempt)
        let purpose = CredentialPurpose.freshProof(
            .reauthenticate, session: former.session.id, try await sessions.identity(of: former.session))
        let proven = try await verifier.prove(credential, for: purpose, from: caller)
        var (successor, secret) = sessions.prepare(
            .browser, clientID: attempt.clientID, browserHash: attempt.browserHash,
            authenticatedAt: proven.authenticatedAt, at: proven.at)
        successor.deviceName = former.session.deviceName
        _ = try await write(proven, to: former.session.id, successor: successor, from: caller)
        return sessions.answer(toProofBy: former.account, secret: secret, returnPath: attempt.returnPath)
    }

    /// The one transaction of a reauthentication.
    private func write(
        _ proven: ProvenCredential, to session: SessionID, successor: SignInRecord.NewSession?, from caller: Caller
    ) async throws -> Session {
        var record = ReauthenticationRecord(
            at: proven.at, used: proven.used, ownCode: proven.ownCode, person: proven.person,
            appleToken: proven.apple?.appleToken, session: session, successor: successor)
        record.authenticatedAt = proven.authenticatedAt
        record.waitingCode = proven.apple?.waitingCode
        record.caller = caller
        return try await vault.keepingToken(of: proven) { [record] in try await store.reauthenticate(record) }
    }
}

/// A session whose person has proven again who they are.
public struct Reauthenticated: Sendable, Redacted {
    /// When the person proved who they are.
    public var authenticatedAt: Timestamp
    /// Says so to other services too (`auth_time`).
    public var accessToken: String
    /// How long ``accessToken`` is valid.
    public var expiresIn: Duration
}

/// The recent sign-in that an operation asks for if it ends an account, or changes how its person gets in.
package enum RecentSignIn {
    /// How long a proof of who one is counts as fresh.
    package static let lifetime: Duration = .minutes(5)
}

extension Session {
    /// Whether the person has signed in with this session's identity, proven by a nonce, within
    /// ``RecentSignIn/lifetime``.
    package func hasRecentSignIn(at moment: Timestamp) -> Bool {
        hasNonceProof && moment - authenticatedAt < RecentSignIn.lifetime
    }

    /// - Throws: ``AccountError/Code/requiresRecentLogin`` unless ``hasRecentSignIn(at:)``.
    func requireRecentSignIn(at moment: Timestamp) throws(AccountError) {
        guard hasRecentSignIn(at: moment) else {
            throw AccountError(.requiresRecentLogin, "this needs a sign-in of the last five minutes")
        }
    }
}

/// Everything that a reauthentication writes, in one transaction.
package struct ReauthenticationRecord: Sendable {
    package var at: Timestamp
    /// The time when the person authenticated: ``at``, unless another provider says an earlier one.
    package var authenticatedAt: Timestamp
    package var used: [UsedCredential]
    package var ownCode: SignInRecord.UsedOwnCode?
    /// The person whom the credential is about, as Apple describes them with it.
    package var person: SignInRecord.Person
    package var appleToken: AppleToken?
    /// A code that could not be redeemed yet; for the outbox, which is told the identity.
    package var waitingCode: OutboxEntry?
    /// The session whose freshness is renewed.
    package var session: SessionID
    /// A browser gets a new session, and the old one ends; nil for an app, which keeps its own.
    package var successor: SignInRecord.NewSession?
    /// For the audit.
    package var caller = Caller.unknown

    package init(
        at: Timestamp, used: [UsedCredential], ownCode: SignInRecord.UsedOwnCode?, person: SignInRecord.Person,
        appleToken: AppleToken?, session: SessionID, successor: SignInRecord.NewSession?
    ) {
        self.at = at
        authenticatedAt = at
        self.used = used
        self.ownCode = ownCode
        self.person = person
        self.appleToken = appleToken
        self.session = session
        self.successor = successor
    }
}

extension AccountTransactions {
    /// Renews the freshness of a session.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed`` and ``AccountError/Code/tokenTooOld`` like
    /// ``signIn(_:)``, ``AccountError/Code/sessionEnded`` unless the session lives, and
    /// ``AccountError/Code/credentialMismatch`` unless the person is the one of the identity that opened it. The
    /// session is proven by a nonce from now on. To the identity it is an authorization like a sign-in, with the same
    /// effect on its tokens, on revocations that wait and on what Apple says of the time before. With a successor the
    /// session ends, like every live one of the successor's browser. Both are appended to the audit.
    /// - Returns: the session that is fresh now.
    package func reauthenticate(_ record: ReauthenticationRecord) async throws -> Session {
        try await write { try $0.reauthenticate(record) }
    }
}

extension SQLConnection {
    fileprivate func reauthenticate(_ record: ReauthenticationRecord) throws -> Session {
        let person = record.person
        let personHash = person.personHash
        try lock(person: personHash)
        try markUsed(record.used, at: record.at)
        if let code = record.ownCode { try markOwnCodeUsed(code, at: record.at) }
        let former = try lockedSession(record.session, at: record.at).session
        let isSame = try returnsRow(
            .sameIdentity,
            [.id(former.identityID), .text(person.provider), .text(person.team), .text(person.subject)])
        guard isSame else { throw AccountError(.credentialMismatch, "The credential is another person's.") }
        let proof = AppleProof(of: person, token: record.appleToken, at: record.at)
        guard try noteAuthorization(former.identityID, of: former.accountID, person, proof, at: record.at) else {
            throw AccountError(.sessionEnded, "The identity of the session is gone.")
        }
        try withdrawRevocations(
            of: personHash, for: former.identityID, proof, newToken: record.appleToken, at: record.at)
        if let token = record.appleToken { try keepAppleToken(token, of: former.identityID) }
        if var code = record.waitingCode {
            code.identityID = former.identityID
            try insertOutbox(code)
        }
        return try renew(
            former, successor: record.successor, authenticatedAt: record.authenticatedAt, at: record.at,
            from: record.caller)
    }

    /// Renews the freshness of a session whose person has proven again who they are, or opens its successor. For a
    /// transaction that has raised the account's revision.
    /// - Parameters:
    ///   - successor: a browser's new session; the former one ends then.
    ///   - provenAt: when the person proved who they are. An earlier time makes no session less fresh.
    /// - Returns: the session that is fresh now.
    func renew(
        _ former: Session, successor: SignInRecord.NewSession?, authenticatedAt provenAt: Timestamp,
        at moment: Timestamp, from caller: Caller
    ) throws -> Session {
        let actor = AuditActor.account(through: former.id, from: caller)
        let authenticatedAt = former.hasNonceProof ? max(former.authenticatedAt, provenAt) : provenAt
        guard let successor else {
            try append(
                AuditEntry(
                    .reauthenticated, at: moment, by: actor, account: former.accountID, subject: former.id.rawValue))
            try execute(.renewSession, [.id(former.id), .time(authenticatedAt), .flag(false)])
            var renewed = former
            renewed.authenticatedAt = authenticatedAt
            renewed.hasNonceProof = true
            return renewed
        }
        try endReplacedSessions(
            former.id, ofBrowser: successor.browserHash, SessionEnding(at: moment, reason: .replaced, by: actor),
            by: former.accountID)
        let session = Session(
            id: successor.id, accountID: former.accountID, identityID: former.identityID, kind: successor.kind,
            clientID: successor.clientID, createdAt: moment, authenticatedAt: authenticatedAt, lastUsedAt: moment,
            // The cookie has shown that it is the same browser. A name of its own would take it out of the reach of the
            // link in the mail about a new device.
            expiresAt: successor.expiresAt, deviceName: former.deviceName)
        try insertSession(session, secretHash: successor.secretHash, browserHash: successor.browserHash)
        try append(
            AuditEntry(
                .reauthenticated, at: moment, by: actor, account: session.accountID, subject: session.id.rawValue))
        return session
    }
}

extension SQLStatement {
    fileprivate static let sameIdentity: Self = """
        SELECT id FROM identities WHERE id = ?1 AND provider = ?2 AND team = ?3 AND subject = ?4
        """
    fileprivate static let renewSession: Self = """
        UPDATE sessions SET authenticated_at = ?2, without_nonce = ?3 WHERE id = ?1
        """
}
