extension SignIn {
    /// Deletes the account of an app's session by a fresh credential of the same person, with a challenge made for
    /// that: however long ago the sign-in was.
    ///
    /// Throws like ``reauthenticate(_:with:from:)``.
    public func delete(
        accountOf session: StoredSession, with request: NativeSignIn, from caller: Caller
    ) async throws -> DeletionReceipt {
        try check(request)
        return try await finishing.perform { [self] in
            let use = Use.proof(.delete, of: session.session.id, try await identity(of: session.session))
            let settled = try await settle(request, for: use, from: caller)
            return try await keeping(try unwritten(settled)) {
                try await deletions.delete(in: session.session, at: settled.at, by: settled, from: caller)
            }
        }
    }
}
