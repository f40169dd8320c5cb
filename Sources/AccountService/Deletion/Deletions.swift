import AppleID
public import AppleIDTypes

/// Deletes accounts, and reports how far a deletion is.
public struct Deletions: Sendable {
    let attempts: WebAttempts
    let verifier: CredentialVerifier
    let vault: AppleTokenVault
    let sessions: Sessions
    let store: AccountTransactions
    let finishing: FinishingWork
    let signal: OutboxSignal
    let mail: MailWriter
    let environment: AppleIDEnvironment

    /// Deletes the account of a session, at once and for good. The outbox tells Apple afterwards.
    ///
    /// Throws ``AccountError/Code/requiresRecentLogin`` and ``AccountError/Code/sessionEnded``.
    public func delete(
        accountOf session: StoredSession, from caller: Caller = .unknown
    ) async throws -> DeletionReceipt {
        let now = Timestamp(environment.now())
        try session.session.requireRecentSignIn(at: now)
        return try await finishing.perform { [self] in
            try await delete(in: session.session, at: now, by: nil, from: caller)
        }
    }

    /// Deletes the account of an app's session, whose sign-in may be long ago, by a fresh credential of the same person with a
    /// challenge made for a deletion.
    ///
    /// Throws like ``Reauthentications/reauthenticate(_:with:from:)``.
    public func delete(
        accountOf session: StoredSession, with request: NativeSignIn, from caller: Caller
    ) async throws -> DeletionReceipt {
        let credential = try Credential(request)
        return try await finishing.perform { [self] in
            let session = session.session
            let purpose = CredentialPurpose.freshProof(
                .delete, session: session.id, try await sessions.identity(of: session))
            let proven = try await verifier.prove(credential, for: purpose, from: caller)
            return try await delete(in: session, at: proven.at, by: proven, from: caller)
        }
    }

    /// Begins a deletion in a browser, which first goes to Apple, so that the person proves who they are.
    /// ``AppleCallback/finish(_:browser:from:)`` ends it.
    ///
    /// The session is noted now: its cookie does not come along when Apple sends the browser back.
    /// - Parameter returnPath: where the browser goes when the person cancels.
    public func begin(
        in session: StoredSession, returnPath: ReturnPath, browser: BrowserSecret?
    ) async throws -> SignInBeginning {
        try await attempts.begin(.deletion, returnPath: returnPath, session: session.session.id, browser: browser)
    }

    /// Ends what ``begin(in:returnPath:browser:)`` began, for an attempt that was taken and is not too old.
    func finish(
        _ attempt: Attempt, with credential: Credential, from caller: Caller
    ) async throws -> DeletionReceipt {
        let session = try await sessions.session(inWhichBegan: attempt).session
        let purpose = CredentialPurpose.freshProof(
            .delete, session: session.id, try await sessions.identity(of: session))
        let proven = try await verifier.prove(credential, for: purpose, from: caller)
        return try await delete(in: session, at: proven.at, by: proven, from: caller)
    }

    /// Deletes the account in one transaction. The caller has made sure that the person is there.
    /// - Parameter proven: the credential that was presented for it, to be used up; nil for a recent sign-in.
    private func delete(
        in session: Session, at moment: Timestamp, by proven: ProvenCredential?, from caller: Caller
    ) async throws -> DeletionReceipt {
        let handle = DeletionHandle(randomness: environment.randomBytes(32))
        var record = DeletionRecord(at: moment, session: session.id, handleHash: handle.hash)
        record.caller = caller
        record.mails = DeletionMails(writer: mail, at: moment, languages: caller.languages)
        guard let proven else { return try await write(record, of: session, handle) }
        record.used = proven.used
        record.ownCode = proven.ownCode
        record.appleToken = proven.apple?.appleToken
        record.waitingCode = proven.apple?.waitingCode
        return try await vault.keepingToken(of: proven) { [record] in try await write(record, of: session, handle) }
    }

    private func write(
        _ record: DeletionRecord, of session: Session, _ handle: DeletionHandle
    ) async throws -> DeletionReceipt {
        let work = try await store.deleteAccount(record)
        signal.notify()
        sessions.bell.notify(session.accountID)
        return DeletionReceipt(handle: handle, work, at: record.at)
    }

    /// Returns how far a deletion is.
    /// - Throws: ``AccountError/Code/deletionUnknown`` for a handle that is none, or too old.
    public func deletion(_ handle: DeletionHandle) async throws -> Deletion {
        guard let deletion = try await store.deletion(handle.hash) else {
            throw AccountError(.deletionUnknown, "no deletion has this handle, or it was finished long ago")
        }
        return deletion
    }
}

/// The state of a deletion. The account is gone from the first moment; the state tells of the revocation at Apple.
public struct Deletion: Hashable, Sendable {
    /// How far a deletion is.
    public enum State: String, Hashable, Sendable {
        /// Apple is being asked to end the authorization.
        case waiting
        /// An operator must act before Apple is asked again.
        case parked
        /// Nothing is left to do.
        case done
        /// The person came back before Apple was told, and has an account again.
        case withdrawn
    }

    /// How long it is remembered after nothing was left to do.
    public static let retention: Duration = .days(30)

    /// How far the deletion is.
    public var state: State
    /// When the account was deleted here.
    public var requestedAt: Timestamp
    /// When nothing was left to do any more.
    public var finishedAt: Timestamp?
    /// Whether Apple is asked to end the authorization, or it has ended before. Else the person must remove the app by
    /// hand.
    public var asksApple: Bool
    /// Whether the account had an identity of Apple's. Without one, Apple has no part in the deletion, and
    /// ``asksApple`` says nothing.
    public var hasApple: Bool

    package init(
        state: State, requestedAt: Timestamp, finishedAt: Timestamp?, asksApple: Bool, hasApple: Bool = true
    ) {
        self.state = state
        self.requestedAt = requestedAt
        self.finishedAt = finishedAt
        self.asksApple = asksApple
        self.hasApple = hasApple
    }
}

/// The answer to a deletion: its state, and a handle to ask for it later.
public struct DeletionReceipt: Sendable, Redacted {
    /// The secret with which the deletion can be asked about later.
    public var handle: DeletionHandle
    /// How far the deletion is now.
    public var deletion: Deletion

    /// - Parameter work: what the deletion waits for.
    init(handle: DeletionHandle, _ work: RevocationWork, at moment: Timestamp) {
        self.handle = handle
        let isDone = work.count == 0
        deletion = Deletion(
            state: isDone ? .done : .waiting, requestedAt: moment, finishedAt: isDone ? moment : nil,
            asksApple: !work.needsManualRemoval, hasApple: work.hasApple)
    }
}

/// The secret that shows the state of a deletion without a session: `del_` and 32 random bytes in
/// base64url. Only its hash is kept.
public struct DeletionHandle: RawRepresentable, Hashable, Sendable, Redacted, RandomSecret {
    static let prefix = "del_"

    /// The secret text that the person is given.
    public let rawValue: String

    /// Takes a value that a client sent; nil unless it has the form of one that we made.
    public init?(rawValue: String) {
        guard Self.hasForm(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}
