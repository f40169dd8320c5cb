import AppleID
public import AppleIDTypes

/// Lets people have several ways in to one account: Apple Accounts, identities at other providers, and an e-mail address.
///
/// Nothing joins accounts because their addresses are equal. A link needs two proofs: of the person at the session, and of
/// the identity that the account gets.
public struct Links: Sendable {
    let attempts: WebAttempts
    let verifier: CredentialVerifier
    let vault: AppleTokenVault
    let sessions: Sessions
    let store: AccountTransactions
    let texts: ConsentTexts
    let ways: UsableWaysIn
    let finishing: FinishingWork
    let signal: OutboxSignal
    let mail: MailWriter
    let environment: AppleIDEnvironment

    private var now: Timestamp { Timestamp(environment.now()) }

    /// Returns the identities that open the account of a session, oldest first.
    public func list(in session: Session) async throws -> [LinkedIdentity] {
        try await store.linkedIdentities(of: session.accountID)
    }

    /// Returns whether a new identity would need the person's consent to the current text: one that hides its address,
    /// and one that tells it.
    public func needsConsent(in session: Session) async throws -> (hidden: Bool, told: Bool) {
        try await store.consentOfLinks(to: session.accountID, currentText: texts.current)
    }

    /// Adds an Apple Account to the account of an app's session, with a challenge of the purpose ``Challenge/Purpose/link``.
    /// The Apple Account may be another person's, or of another team, than one that opens the account already. If it opens
    /// this account already, it goes on doing so, and Apple's new token is kept.
    ///
    /// Throws ``AccountError/Code/requiresRecentLogin``, ``AccountError/Code/consentRequired`` where a hidden address and data
    /// that tell who the person is come together and the person hasn't agreed to the current text,
    /// ``AccountError/Code/rateLimited`` where the person has withdrawn such a consent too often,
    /// ``AccountError/Code/sessionEnded``, and like ``SignIn/native(_:from:)``. The first three leave the credential as good
    /// as it was, unless the account changes at the same moment.
    ///
    /// Throws ``AccountError/Code/credentialAlreadyInUse`` for an Apple Account that opens another account. The credential is
    /// used then, and ``AccountError/conflict`` has a handle in its place: ``signIn(with:in:from:)``.
    /// - Parameter consent: the person's consent to the current text.
    /// - Returns: the identities that open the account then.
    public func linkApple(
        in session: StoredSession, with request: NativeSignIn, consent: ConsentGiven?, from caller: Caller
    ) async throws -> [LinkedIdentity] {
        try await link(Credential(request), in: session, consent: consent, from: caller)
    }

    /// Adds the identity of an app's credential to the account of its session.
    func link(
        _ credential: Credential, in session: StoredSession, consent: ConsentGiven?, from caller: Caller
    ) async throws -> [LinkedIdentity] {
        try session.session.requireRecentSignIn(at: now)
        return try await finishing.perform { [self] in
            try await link(credential, to: session.session, consent, browser: nil, from: caller)
            return try await list(in: session.session)
        }
    }

    /// Begins the link of an Apple Account in a browser. ``AppleCallback/finish(_:browser:from:)`` ends it, and the
    /// browser's session goes on.
    ///
    /// Throws ``AccountError/Code/requiresRecentLogin``, and ``AccountError/Code/configuration`` when no Services ID is
    /// configured.
    /// - Parameters:
    ///   - consent: the person's consent to the current text, if they have given it before they go to Apple.
    ///   - returnPath: where the browser goes afterwards.
    public func begin(
        in session: StoredSession, consent: ConsentGiven?, returnPath: ReturnPath, browser: BrowserSecret?
    ) async throws -> SignInBeginning {
        try session.session.requireRecentSignIn(at: now)
        return try await attempts.begin(
            .link, returnPath: returnPath, session: session.session.id, browser: browser,
            choice: AttemptChoice(consent: consent, endsOthers: false))
    }

    /// Ends what ``begin(in:consent:returnPath:browser:)`` began, for an attempt that was taken and is not too old.
    func end(_ attempt: Attempt, with credential: Credential, from caller: Caller) async throws -> WebEnding {
        // The proof was fresh when the attempt began, and the attempt is not older than ten minutes.
        let session = try await sessions.session(inWhichBegan: attempt).session
        do {
            let isNew = try await link(
                credential, to: session, attempt.choice?.consent, browser: attempt.browserHash, from: caller)
            return isNew ? .linked : .linkedBefore
        } catch let error as AccountError {
            if let conflict = error.conflict { return .linkConflict(conflict) }
            guard error.code == .consentRequired else { throw error }
            return .linkNeedsConsent(provider: attempt.provider?.provider.rawValue)
        }
    }

    /// - Parameter browser: the browser that alone can use the handle of a conflict; nil for an app.
    /// - Returns: whether the identity is new to the account.
    @discardableResult
    private func link(
        _ credential: Credential, to session: Session, _ consent: ConsentGiven?, browser: TokenHash?,
        from caller: Caller
    ) async throws -> Bool {
        let (account, currentText) = (session.accountID, texts.current)
        let purpose = CredentialPurpose.newWayIn(.link, session: session.id) { [self] person in
            try await store.requireLinkable(person, to: account, consent, currentText: currentText, at: now)
        }
        let proven = try await verifier.prove(credential, for: purpose, from: caller)
        let moment = proven.at
        let record = LinkRecord(
            at: moment, session: session.id, proven: proven,
            identity: IdentityID(at: moment, randomness: environment.randomBytes(10)),
            consent: ConsentIntake(consent, currentText: currentText, at: moment, environment: environment),
            mailID: mail.newID(at: moment), mail: mail,
            twoAccountsMail: TwoAccountsMail(writer: mail, at: moment, languages: caller.languages),
            openPendingProfile: verifier.names.open, caller: caller)
        let ending = try await vault.keepingToken(of: proven) {
            try await vault.loggingIncompleteTransfer(for: proven.client) { try await link(record, browser: browser) }
        }
        signal.notify()
        switch ending {
        case .conflict(let conflict): throw AccountError(conflict)
        case .linked(let isNew):
            sessions.bell.notify(account)
            return isNew
        }
    }

    /// The end of a link.
    private enum LinkEnding {
        case linked(isNew: Bool)
        /// The identity opens another account, to which the handle signs in.
        case conflict(CredentialConflict)
    }

    /// - Parameter isLastTry: whether an identity that leaves another account at the same time is not tried again.
    private func link(
        _ record: LinkRecord, browser: TokenHash?, isLastTry: Bool = false
    ) async throws -> LinkEnding {
        do {
            return .linked(isNew: try await store.link(record))
        } catch let error as AccountError where error.code == .credentialAlreadyInUse {
            let handle = ConflictHandle(randomness: environment.randomBytes(32))
            let expiresAt = record.at + ConflictHandle.lifetime
            let isKept = try await store.keepConflict(
                ConflictRecord(
                    at: record.at, session: record.session, proven: record.proven, handleHash: handle.hash,
                    browserHash: browser, expiresAt: expiresAt, caller: record.caller))
            guard isKept else {
                guard !isLastTry else { throw error }
                return try await link(record, browser: browser, isLastTry: true)
            }
            let provider = record.proven.person.provider
            return .conflict(
                CredentialConflict(
                    handle: handle, expiresAt: expiresAt, provider: provider == .apple ? nil : provider.rawValue))
        }
    }

    /// Whether somebody can still sign in to an account without one of its identities.
    package func isRemovable(_ identity: LinkedIdentity, of identities: [LinkedIdentity]) -> Bool {
        ways.isWayIn(identities.filter { $0.id != identity.id })
    }

    /// Removes an identity from the account of a session: nobody gets in with it any more, and sessions that it opened end,
    /// also the one that asks. Apple's authorization of an Apple identity is revoked. The identity can be linked again, or
    /// signs up with an account of its own.
    ///
    /// Throws ``AccountError/Code/requiresRecentLogin``, ``AccountError/Code/identityUnknown`` for one that the account
    /// doesn't have, ``AccountError/Code/lastWayIn`` if nobody could sign in to the account then, and
    /// ``AccountError/Code/sessionEnded``.
    public func remove(
        _ id: IdentityID, in session: StoredSession, from caller: Caller
    ) async throws -> Unlinked {
        try session.session.requireRecentSignIn(at: now)
        let done = try await store.unlink(
            UnlinkRecord(
                session: session.session.id, identity: id,
                removal: WayInRemoval(
                    at: now, by: .account(through: session.session.id, from: caller), ways, from: caller, mail: mail)))
        signal.notify()
        sessions.bell.notify(session.session.accountID)
        return done
    }
}

/// One of the identities that open an account, as the person sees it.
public struct LinkedIdentity: Hashable, Sendable {
    /// The identity's identifier.
    public var id: IdentityID
    /// The provider that knows the person: `apple`, `email` for an email identity, or the id of another provider.
    public var provider: String
    /// The team at Apple that knows the person; nil for another provider.
    public var team: TeamID?
    /// The address that the provider told last, or the address of an email identity, as the person typed it.
    public var address: String?
    /// Whether ``address`` is a relay address of Apple's.
    public var isPrivateEmail: Bool
    /// Whether the person can sign in with ``address`` and a password.
    public var hasPassword: Bool
    /// When the identity was added to the account.
    public var addedAt: Timestamp
    /// When the person last proved the identity: signed in with it, added it, or tried to add it to another account.
    public var lastSignInAt: Timestamp

    /// Whether it is an email identity.
    package var isByEmail: Bool { provider == IdentityProvider.email.rawValue }

    /// Whether it is an Apple Account.
    package var isByApple: Bool { provider == IdentityProvider.apple.rawValue }
}

/// The outcome of the removal of an identity.
public struct Unlinked: Hashable, Sendable {
    /// The identities that open the account now.
    public var identities: [LinkedIdentity]
    /// Whether the session that asked has ended, because the removed identity had opened it.
    public var endsSession: Bool
    /// Whether Apple may go on listing the app, so that the person has to remove it by hand.
    public var needsManualRemoval: Bool
}

extension AccountError {
    static var identityUnknown: Self {
        AccountError(.identityUnknown, "this account has no identity with this id")
    }

    static var alreadyLinked: Self {
        AccountError(.alreadyLinked, "this account has an address to sign in with already")
    }

    static var lastWayIn: Self {
        AccountError(.lastWayIn, "nobody could sign in to the account any more")
    }
}
