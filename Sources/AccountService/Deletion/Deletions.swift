import AppleID

/// Deletes accounts, and says what became of it.
public struct Deletions: Sendable {
    let store: any AccountStore
    let finishing: FinishingWork
    let signal: OutboxSignal
    let bell: EventBell
    let environment: AppleIDEnvironment

    /// Deletes the account of a session, at once and for good; what Apple must be told goes into the outbox.
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

    /// The one transaction. Whoever calls this has made sure that the person is there.
    /// - Parameter settled: the credential that was presented for it, to be used up; nil for a recent sign-in.
    func delete(
        in session: Session, at moment: Timestamp, by settled: SignIn.Settled?, from caller: Caller
    ) async throws -> DeletionReceipt {
        let handle = DeletionHandle(randomness: environment.randomBytes(32))
        var record = AccountDeletion(at: moment, session: session.id, handleHash: handle.hash)
        record.caller = caller
        if let settled {
            record.spent = settled.spent
            record.ownCode = settled.ownCode
            record.appleToken = settled.appleToken
            record.waitingCode = settled.waitingCode
        }
        let order = try await store.deleteAccount(record)
        signal.wake()
        bell.ring(session.accountID)
        return DeletionReceipt(handle: handle, order, at: moment)
    }

    /// What became of a deletion.
    /// - Throws: ``AccountError/Code/deletionUnknown`` for a handle that is none, or too old.
    public func deletion(_ handle: DeletionHandle) async throws -> Deletion {
        guard let deletion = try await store.deletion(handle.hash) else {
            throw AccountError(.deletionUnknown, "no deletion has this handle, or it was finished long ago")
        }
        return deletion
    }
}
