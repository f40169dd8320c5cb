import AppleID
public import AppleIDTypes

/// Lets people who sign in with an e-mail address go over to Sign in with Apple, with the same account.
///
/// The person proves again who they are first, and then signs in with Apple. The email identity and its password go,
/// and the address becomes the account's contact address if it has none.
public struct Upgrades: Sendable {
    let attempts: WebAttempts
    let verifier: CredentialVerifier
    let vault: AppleTokenVault
    let sessions: Sessions
    let store: AccountTransactions
    let texts: ConsentTexts
    let finishing: FinishingWork
    let signal: OutboxSignal
    let mail: MailWriter
    let environment: AppleIDEnvironment

    private var now: Timestamp { Timestamp(environment.now()) }

    /// Returns whether an upgrade of a session's account needs the person's consent to the current text even if the new
    /// Apple Account tells its address, because another one of the account hides it.
    package func needsConsentToToldAddress(in session: Session) async throws -> Bool {
        try await store.upgradeToToldAddressNeedsConsent(in: session, currentText: texts.current)
    }

    /// Upgrades the account of an app's session by Apple's credential, with a challenge made for that.
    ///
    /// Throws ``AccountError/Code/notByPassword`` for a session that is Apple's already,
    /// ``AccountError/Code/requiresRecentLogin``, ``AccountError/Code/credentialAlreadyInUse`` for an Apple Account
    /// that opens an account, ``AccountError/Code/consentRequired`` where a hidden address and data that tell who the
    /// person is come together and the person hasn't agreed to the current text, ``AccountError/Code/rateLimited``
    /// where they have withdrawn such a consent too often, ``AccountError/Code/sessionEnded``, and like
    /// ``SignIn/native(_:from:)``. The first five leave the credential as good as it was.
    /// - Parameters:
    ///   - consent: the person's consent to the current text.
    ///   - endingOthers: whether all other sessions of the account end. They go on as Apple's otherwise.
    public func upgrade(
        _ session: StoredSession, with request: NativeSignIn, consent: ConsentGiven?, endingOthers: Bool,
        from caller: Caller
    ) async throws -> Upgraded {
        let credential = try Credential(request)
        try await requireUpgradable(session.session)
        return try await finishing.perform { [self] in
            let upgraded = try await upgrade(
                session.session, with: credential, consent, endingOthers: endingOthers, from: caller)
            return Upgraded(
                account: upgraded.account,
                accessToken: try sessions.accessToken(for: upgraded.session, generation: upgraded.generation),
                expiresIn: SessionLimits.accessToken)
        }
    }

    /// Begins an upgrade in a browser. ``AppleCallback/finish(_:browser:from:)`` ends it, and the browser's session
    /// goes on.
    ///
    /// Throws ``AccountError/Code/notByPassword``, ``AccountError/Code/requiresRecentLogin`` and
    /// ``AccountError/Code/configuration`` when no Services ID is configured.
    /// - Parameters:
    ///   - consent: the person's consent to the current text, needed where Apple hides the address, or hides that of
    ///     another Apple Account which opens the account.
    ///   - endingOthers: whether all other sessions of the account end.
    ///   - returnPath: where the browser goes if nothing was upgraded.
    public func begin(
        in session: StoredSession, consent: ConsentGiven?, endingOthers: Bool, returnPath: ReturnPath = .account,
        browser: BrowserSecret?
    ) async throws -> SignInBeginning {
        try await requireUpgradable(session.session)
        return try await attempts.begin(
            .upgrade, returnPath: returnPath, session: session.session.id, browser: browser,
            choice: AttemptChoice(consent: consent, endsOthers: endingOthers))
    }

    /// Ends what ``begin(in:consent:endingOthers:returnPath:browser:)`` began, for an attempt that was taken and is not
    /// too old.
    ///
    /// The browser keeps its session and its cookie, though a proof otherwise gives a browser a new one: the session
    /// lived when the attempt began and lives now, and it moves to the new identity with everything that is known of
    /// it.
    func finish(_ attempt: Attempt, with credential: Credential, from caller: Caller) async throws -> WebEnding {
        let session = try await sessions.session(inWhichBegan: attempt).session
        // The proof was fresh when the attempt began, and the attempt is not older than ten minutes.
        guard try await sessions.identity(of: session).provider == .email else { throw AccountError.notByPassword }
        do {
            _ = try await upgrade(
                session, with: credential, attempt.choice?.consent, endingOthers: attempt.choice?.endsOthers ?? false,
                from: caller)
            return .upgraded
        } catch let error as AccountError
            where [.consentRequired, .credentialAlreadyInUse].contains(error.code)
        {
            return .upgradeRefused(error.code, attempt.returnPath)
        }
    }

    private func requireUpgradable(_ session: Session) async throws {
        guard try await sessions.identity(of: session).provider == .email else { throw AccountError.notByPassword }
        try session.requireRecentSignIn(at: now)
    }

    private func upgrade(
        _ session: Session, with credential: Credential, _ consent: ConsentGiven?, endingOthers: Bool,
        from caller: Caller
    ) async throws -> StoredSession {
        let purpose = CredentialPurpose.newWayIn(.upgrade, session: session.id) { [self] person in
            try await check(person, session, consent)
        }
        let proven = try await verifier.prove(credential, for: purpose, from: caller)
        let moment = proven.at
        let record = UpgradeRecord(
            at: moment, session: session.id, proven: proven, endsOthers: endingOthers,
            identity: IdentityID(at: moment, randomness: environment.randomBytes(10)),
            consent: ConsentIntake(consent, currentText: texts.current, at: moment, environment: environment),
            mailID: mail.newID(at: moment), mail: mail, openPendingProfile: verifier.names.open, caller: caller)
        let upgraded = try await vault.keepingToken(of: proven) {
            try await vault.loggingIncompleteTransfer(for: proven.client) { try await store.upgrade(record) }
        }
        signal.notify()
        sessions.bell.notify(upgraded.account.id)
        return upgraded
    }

    /// Before anything of the credential is used up or redeemed. The transaction decides.
    private func check(_ person: SignInRecord.Person, _ session: Session, _ consent: ConsentGiven?) async throws {
        guard try await !store.hasIdentity(person) else { throw AccountError.credentialAlreadyInUse }
        try await store.requireConsent(consent, of: person, in: session, currentText: texts.current, at: now)
    }
}

/// An account that signs in with Apple from now on.
public struct Upgraded: Sendable, Redacted {
    /// The account, which is the same as before.
    public var account: Account
    /// A new access token of the session.
    public var accessToken: String
    /// How long ``accessToken`` is valid.
    public var expiresIn: Duration
}

extension AccountError {
    static var credentialAlreadyInUse: Self {
        AccountError(.credentialAlreadyInUse, "this Apple Account opens another account")
    }
}
