import AccountDatabase
import AppleIDTypes

/// The accounts that may give way to the former account of the same person.
///
/// A person may have got a second account under the receiving team before they were moved. If that account were deleted
/// first, the service would revoke the person's authorization, and Apple would not tell any more who they were before.
package struct TransferReplacement: Hashable, Sendable {
    package var accounts: Set<AccountID>
    /// Names the deletion of an account that nobody can open any more. Nothing is left to do for it at Apple.
    package var handle: TokenHash

    package init(accounts: Set<AccountID>, handle: TokenHash) {
        self.accounts = accounts
        self.handle = handle
    }
}

extension TransferTransaction {
    /// Whether the operator wants an identity's account to give way.
    func mayReplace(_ there: Found) -> Bool { replacement?.accounts.contains(there.account) == true }

    /// Takes the person away from an identity, so that another identity can have them. Nothing is revoked at Apple.
    func release(_ there: Found) throws {
        try connection.markRemoved(there.id, at: at)
    }

    /// Gives an identity what Apple gave for the one that was released, and removes the account if nobody can open it
    /// any more.
    func hand(_ there: Found, to identity: IdentityID) throws {
        try connection.execute(.inheritAuthorization, [.id(identity), .id(there.id)])
        try connection.execute(.dropReplacedTokens, [.id(identity), .id(there.id)])
        try connection.execute(.handTokens, [.id(identity), .id(there.id)])
        try connection.execute(.handOutbox, [.id(identity), .id(there.id)])
        guard let replacement, try connection.identities(of: there.account).isEmpty else {
            try connection.withdrawLinkConsent(of: there.id, in: there.account, at: at, by: actor)
            try connection.endSessions(
                .endSessionsOfIdentity, .id(there.id), SessionEnding(at: at, reason: .unlinked, by: actor))
            try connection.append(
                AuditEntry(
                    .identityUnlinked, at: at, by: actor, account: there.account, subject: there.id.rawValue,
                    detail: IdentityProvider.apple.rawValue))
            try connection.appendEvent(.unlinked, of: there.account, at: at, about: there.id.rawValue)
            return
        }
        _ = try connection.purgeAccount(
            PurgeRecord(
                at: at, account: there.account, handleHash: replacement.handle, by: actor,
                reason: AuditActor.Kind.operator.rawValue),
            isAuthorized: false)
    }
}

extension SQLStatement {
    /// Gives an identity the last authorization of the one that it replaces. Apple's earlier news about the person are out of
    /// date then, whichever identity they concern.
    fileprivate static let inheritAuthorization: Self = """
        UPDATE identities SET
            last_authorized_at =
                (SELECT max(a.last_authorized_at) FROM identities a WHERE a.id = ?1 OR a.id = ?2),
            last_sign_in_at = (SELECT max(s.last_sign_in_at) FROM identities s WHERE s.id = ?1 OR s.id = ?2)
        WHERE id = ?1
        """
    /// A newer token of the same client takes the place of the one from before the transfer.
    fileprivate static let dropReplacedTokens: Self = """
        DELETE FROM apple_tokens
        WHERE identity_id = ?1 AND client_id IN (SELECT n.client_id FROM apple_tokens n WHERE n.identity_id = ?2)
        """
    fileprivate static let handTokens: Self = "UPDATE apple_tokens SET identity_id = ?1 WHERE identity_id = ?2"
    fileprivate static let handOutbox: Self = """
        UPDATE outbox SET identity_id = ?1 WHERE identity_id = ?2 AND finished_at IS NULL
        """
}
