import AppleID
import AppleIDTypes

extension SignIn {
    /// Renews the freshness of an app's session by a credential of the same person, with a challenge made for that.
    ///
    /// Throws like ``native(_:from:)``, and ``AccountError`` with ``AccountError/Code/credentialMismatch`` for another
    /// person's credential or ``AccountError/Code/sessionEnded``.
    public func reauthenticate(_ session: StoredSession, with request: NativeSignIn, from caller: Caller) async throws
        -> Reauthenticated
    {
        try check(request)
        return try await finishing.perform { [self] in
            let use = Use.proof(.reauthenticate, of: session.session.id, try await identity(of: session.session))
            let settled = try await settle(request, for: use, from: caller)
            let record = try record(settled, of: session.session.id, successor: nil, from: caller)
            let renewed = try await keeping(try unwritten(settled)) { try await store.reauthenticate(record) }
            return Reauthenticated(
                authenticatedAt: renewed.authenticatedAt,
                accessToken: try sessions.accessToken(for: renewed, generation: session.generation),
                expiresIn: SessionLimits.accessToken)
        }
    }

    /// Begins a reauthentication in a browser, or a deletion, which needs one.
    ///
    /// The session is noted now: its cookie does not come along when Apple sends the browser back.
    /// - Parameter returnPath: where the browser goes afterwards, and when the person cancels.
    public func begin(
        _ purpose: Attempt.Purpose, in session: StoredSession, returnPath: ReturnPath, browser: BrowserSecret?
    ) async throws -> SignInBeginning {
        guard [.reauthentication, .deletion].contains(purpose) else {
            throw AccountError(.attemptUnknown, "nothing is begun in a session for this purpose")
        }
        let (attempt, beginning) = try attempts.prepare(
            WebAttempts.Order(
                purpose: purpose, client: try requiredWebClient(), scopes: [.name, .email],
                nonce: Base64URL.text(environment.randomBytes(32)), returnPath: returnPath, session: session.session.id),
            browser: browser)
        try await store.insertAttempt(attempt)
        return beginning
    }

    /// Ends what a browser began: it gets a new session, and its old one ends.
    func reauthenticate(
        by attempt: Attempt, _ response: AuthorizationResponse, from caller: Caller
    ) async throws -> WebSignIn {
        let (former, settled) = try await settleAnew(attempt, response)
        let (prepared, secret) = sessions.prepare(
            .browser, clientID: attempt.clientID, browserHash: attempt.browserHash, authenticatedAt: settled.at,
            at: settled.at)
        var successor = prepared
        successor.deviceName = former.session.deviceName
        let record = try record(settled, of: former.session.id, successor: successor, from: caller)
        _ = try await keeping(try unwritten(settled)) { try await store.reauthenticate(record) }
        sessions.bell.ring(former.account.id)
        return WebSignIn(
            account: former.account, isNewAccount: false, sessionCookie: secret.text,
            cookieLifetime: configuration.sessionLimits.absolute, returnPath: attempt.returnPath)
    }

    /// The answer of Apple to a person who is signed in: about the same person, and the session lives.
    func settleAnew(_ attempt: Attempt, _ response: AuthorizationResponse) async throws -> (
        former: StoredSession, settled: Settled
    ) {
        guard let id = attempt.sessionID, let stored = try await store.session(id) else {
            throw AccountError(.sessionEnded, "the session in which this began is gone")
        }
        let former = try sessions.live(stored)
        let use = Use.proof(.reauthenticate, of: id, try await identity(of: former.session))
        let proven = try await prove(response, by: attempt)
        return (former, try await settle(proven, for: use))
    }

    private func record(
        _ settled: Settled, of session: SessionID, successor: SignInRecord.NewSession?, from caller: Caller
    ) throws -> Reauthentication {
        var record = Reauthentication(
            at: settled.at, spent: settled.spent, ownCode: settled.ownCode, person: try person(of: settled.identity),
            appleToken: settled.appleToken, session: session, successor: successor)
        record.waitingCode = settled.waitingCode
        record.caller = caller
        return record
    }

    func identity(of session: Session) async throws -> Identity {
        let identities = try await store.identities(of: session.accountID)
        guard let identity = identities.first(where: { $0.id == session.identityID }) else {
            throw AccountError(.sessionEnded, "the identity of this session is gone")
        }
        return identity
    }
}
