import AppleID
public import AppleIDTypes

/// A secret that signs in to the account of an identity which could not be linked, because it opens that account. It stands
/// for Apple's credential, which can't be used twice. It works once, for five minutes, in the session and the browser
/// that tried the link.
public struct ConflictHandle: RawRepresentable, Hashable, Sendable, Redacted, RandomSecret {
    /// How long a handle works.
    public static let lifetime: Duration = .minutes(5)

    /// 32 random bytes in base64url.
    public let rawValue: String

    /// Takes a text from a client; nil unless it has the form of a handle.
    public init?(rawValue: String) {
        guard Self.hasForm(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

/// A credential that can't be linked, because it opens another account.
public struct CredentialConflict: Hashable, Sendable, Redacted {
    /// Signs in to that account.
    public var handle: ConflictHandle
    /// When the handle no longer works.
    public var expiresAt: Timestamp
    /// The id of the provider whose person opens that account; nil for an Apple Account.
    public var provider: String?
}

extension Links {
    /// Signs an app in to the account of the identity that they could not link, with the handle in place of Apple's
    /// credential. The session that tried the link ends.
    ///
    /// Throws ``AccountError/Code/handleInvalid`` for a handle that is unknown, used, too old or of another session, or of
    /// an identity that opens that account no more; ``AccountError/Code/sessionEnded``, ``AccountError/Code/tokenTooOld`` if
    /// the person has stopped using the app at Apple since, and ``AccountError/Code/accountDisabled``.
    public func signIn(
        with handle: ConflictHandle, in session: StoredSession, from caller: Caller
    ) async throws -> TokenSignIn {
        let (outcome, secret) = try await open(.tokens, with: handle, in: session, browser: nil, from: caller)
        return try sessions.answer(to: outcome, secret: secret)
    }

    /// Signs a browser in, like ``signIn(with:in:from:)``. The handle works in the browser alone that came back from Apple.
    public func signIn(
        with handle: ConflictHandle, in session: StoredSession, browser: BrowserSecret, from caller: Caller
    ) async throws -> WebSignIn {
        let (outcome, secret) = try await open(.browser, with: handle, in: session, browser: browser.hash, from: caller)
        return sessions.answer(to: outcome, secret: secret, returnPath: .account)
    }

    private func open(
        _ kind: Session.Kind, with handle: ConflictHandle, in session: StoredSession, browser: TokenHash?,
        from caller: Caller
    ) async throws -> (SignInOutcome, SessionSecret) {
        let moment = Timestamp(environment.now())
        guard let conflict = try await store.conflict(handle.hash, of: session.session.id, browser: browser, at: moment)
        else {
            throw AccountError.conflictHandleInvalid
        }
        let (prepared, secret) = sessions.prepare(
            kind, clientID: conflict.client, browserHash: browser, authenticatedAt: conflict.provenAt, at: moment)
        var record = SignInRecord(
            of: conflict.person, session: prepared, formerSession: session.session.id, at: moment, from: caller,
            mail: mail, environment: environment)
        record.session.deviceName = caller.device ?? session.session.deviceName
        record.openPendingProfile = verifier.names.open
        let outcome = try await store.signIn(record, with: handle.hash, for: conflict.identity)
        return (outcome, secret)
    }
}

extension AccountError {
    static var conflictHandleInvalid: Self {
        AccountError(.handleInvalid, "the handle is unknown, used or expired, or belongs to another session")
    }
}
