extension AccountClient {
    /// Deletes the account at the account service, at once and for good, and has Apple told to end its authorization.
    /// The person is signed out on every device.
    ///
    /// It needs a sign-in of the last five minutes: when there was none, the person is asked to sign in with Apple once
    /// more, and whoever cancels there has lost nothing.
    ///
    /// Throws as ``reauthenticate()`` does. When the answer is lost on the way, and the account service then knows the
    /// session no more, that is `sessionEnded`, with a hint that says so.
    /// - Parameter asking: false never asks: without a recent sign-in it is `refused` with `requires_recent_login`.
    /// - Returns: how far it is. The account is gone; what may be left is to tell Apple, see ``progress(of:)``.
    @discardableResult
    public func deleteAccount(asking: Bool = true) async throws -> AccountDeletion {
        try await core.deleteAccount(asking ? ask(for: []) : nil)
    }

    /// How far a deletion is, without a session: also at a later start of the app, which has kept the handle.
    ///
    /// Throws `refused` with `deletion_unknown` when there was none, or it ended more than 30 days ago.
    /// - Parameter handle: ``AccountDeletion/handle``.
    public func deletion(_ handle: String) async throws -> AccountDeletion {
        try await core.deletion(handle)
    }

    /// How far a deletion is, now and whenever that changes, until it is over.
    ///
    /// It asks after one second at first and every five minutes in the end, and goes on when the account service does
    /// not answer.
    public func progress(of deletion: AccountDeletion) -> DeletionProgress {
        DeletionProgress(core: core, first: deletion)
    }
}
