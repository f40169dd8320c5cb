import AccountDatabase
import AppleIDTypes

extension AccountTransactions {
    /// Orders the revocation of all tokens that are held for the session's identity, of the token that a code has just
    /// brought, and of those that waiting codes will bring. If there is any, the identity counts as revoked until the next
    /// authorization, and its account's clients are told.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed`` like ``signIn(_:)`` and
    /// ``AccountError/Code/sessionEnded`` unless the session lives.
    /// - Returns: how many tokens are to be revoked, or codes to be redeemed and their tokens revoked. If there is none, the
    ///   person has to remove the app by hand, unless Apple is being asked already or the authorization has ended.
    package func revoke(_ record: RevocationRecord) async throws -> RevocationWork {
        try await lockingPeople { connection in
            let person = try connection.person(ofSession: record.session)
            if let person { try connection.lock(person: person) }
            try connection.markUsed(record.used, at: record.at)
            if let code = record.ownCode { try connection.markOwnCodeUsed(code, at: record.at) }
            let session = try connection.lockedSession(record.session, at: record.at).session
            // A transfer may have given the identity another person before the account was locked.
            guard let person, try connection.person(ofSession: record.session) == person else {
                throw PersonNotLocked()
            }
            try connection.append(
                AuditEntry(
                    .appleRevocationOrdered, at: record.at, by: .account(through: session.id, from: record.caller),
                    account: session.accountID, subject: session.identityID.rawValue))
            let count = try connection.orderRevocation(
                of: session.identityID, person, and: record.appleToken, at: record.at)
            if count > 0 {
                try connection.noteOwnRevocation(of: session.identityID, at: record.at)
                try connection.appendEvent(
                    .appleAccessRevoked, of: session.accountID, at: record.at, about: session.identityID.rawValue)
            }
            let needsRemoval =
                try count == 0 && connection.mayBeListedWithNothingOpen(session.identityID, person)
            return RevocationWork(count: count, needsManualRemoval: needsRemoval)
        }
    }

    /// Postpones a person's waiting revocations. A revocation that a server is trying now goes on.
    package func postponeRevocations(of personHash: TokenHash, at: Timestamp, until: Timestamp) async throws {
        let open = try await lookUp(.anyOpenEntry, [.hash(personHash)]) { try $0.text() }
        guard !open.isEmpty else { return }
        _ = try await write { connection in
            try connection.execute(.postponeRevocations, [.hash(personHash), .time(until), .time(at)])
        }
    }
}

extension SQLConnection {
    /// The person of a session's identity, as the identity is now. Nil for an unknown session, and for a session whose
    /// identity was removed.
    fileprivate func person(ofSession session: SessionID) throws -> TokenHash? {
        try first(.personOfSession, [.id(session)]) { columns in
            try TokenHash.person(team: columns.word(), subject: Subject(columns.text()))
        }
    }

    /// Whether the person may still find the app in the list of their Apple Account's settings. That is so unless Apple has
    /// said that the authorization has ended, or has accepted a revocation since the person last authorized the app. Open
    /// entries of the outbox don't count.
    ///
    /// A dead grant is no end of the authorization: Apple also ends refresh tokens when the person changes their password.
    func mayBeListed(_ identity: IdentityID, _ personHash: TokenHash) throws -> Bool {
        try returnsRow(
            .findListed, [.id(identity), .hash(personHash), .text(SessionEndReason.appleGrantDead)])
    }

    /// Whether the person may still find the app in the list of their Apple Account's settings, and the outbox has no open
    /// entry that would end that.
    func mayBeListedWithNothingOpen(_ identity: IdentityID, _ personHash: TokenHash) throws -> Bool {
        try !returnsRow(.anyOpenEntry, [.hash(personHash)]) && mayBeListed(identity, personHash)
    }

    /// Orders the revocation of all tokens of Apple's that an identity has, and of those that its waiting codes will bring.
    /// For a transaction that has locked the person and raised the account's revision.
    /// - Parameter token: a further token, which a code has just brought.
    /// - Returns: how many tokens are to be revoked, or codes to be redeemed and their tokens revoked.
    func orderRevocation(
        of identity: IdentityID, _ personHash: TokenHash, and token: AppleToken? = nil, at moment: Timestamp
    ) throws -> Int {
        var tokens = try moveTokensToOutbox(of: identity, personHash: personHash, deletionHash: nil, at: moment)
        if let token {
            try placeOrder(
                OutboxEntry(revoking: token, personHash: personHash, identityID: identity, at: moment), at: moment)
            tokens.insert(token.id)
        }
        let waiting = try execute(.revokeWaitingCodes, [.id(identity), .hash(personHash), .time(moment)])
        try execute(.noteOrderOnCodes, [.hash(personHash), .time(moment)])
        try execute(.noteOrderOnIdentity, [.id(identity), .time(moment)])
        return tokens.count + waiting
    }

    /// Orders the revocation of every token that is held for an identity. The identity no longer holds them.
    /// - Returns: the ids of the tokens.
    func moveTokensToOutbox(of identity: IdentityID, personHash: TokenHash, deletionHash: TokenHash?, at: Timestamp)
        throws -> Set<AppleTokenID>
    {
        let tokens = try query(.takeAppleTokens, [.id(identity)]) { columns in
            try AppleToken(
                id: columns.word(), clientID: columns.word(), sealed: columns.bytes(), obtainedAt: columns.time())
        }
        for token in tokens {
            try placeOrder(
                OutboxEntry(
                    revoking: token, personHash: personHash, identityID: deletionHash == nil ? identity : nil,
                    deletionHash: deletionHash, at: at), at: at)
        }
        return Set(tokens.map(\.id))
    }

    /// Orders the revocation of a token. The order replaces an earlier one for the same token: a token of an app's
    /// authorization may be held twice, for the person and for a code of ours. Another deletion that waited for the earlier
    /// order is withdrawn, because the person has signed in since.
    func placeOrder(_ revocation: OutboxEntry, at moment: Timestamp) throws {
        let earlier = try first(.outboxEntry, [.id(revocation.id)]) { try $0.outboxEntry() }
        try execute(.removeOrder, [.id(revocation.id)])
        try insertOutbox(revocation)
        if let earlier, earlier.state.isOpen, let deletion = earlier.deletionHash, deletion != revocation.deletionHash {
            try withdrawDeletion(deletion, at: moment)
        }
    }

    /// Withdraws the orders from before the person's new authorization at Apple, which an old revocation would end. A deletion
    /// that waited for such an order is withdrawn, too.
    ///
    /// The identity gets back a token that has not been revoked, or the code that would have brought one, because the
    /// credential may have brought none. A token that a server has begun to revoke is not called back. For a transaction that
    /// has locked the person.
    /// - Parameter newToken: the credential's token. It replaces an older token of its client.
    func withdrawRevocations(
        of person: TokenHash, for identity: IdentityID, _ proof: AppleProof, newToken: AppleToken?, at moment: Timestamp
    ) throws {
        let orders = try query(.openOrders, [.hash(person), .time(proof.until)]) { try OpenOrder(&$0, at: moment) }
        for order in orders {
            if let token = order.token, token.clientID != newToken?.clientID || token.id == newToken?.id {
                // The row goes, because its name, to which the seal is bound, is the token's.
                try execute(.removeOrder, [.id(order.entry.id)])
                try keepAppleToken(token, of: identity)
            } else if order.entry.kind == .code, order.entry.clientID != newToken?.clientID {
                try execute(.giveCodeBack, [.id(order.entry.id), .id(identity)])
            } else {
                try execute(.withdrawOrder, [.id(order.entry.id), .time(moment)])
            }
        }
        for deletion in Set(orders.compactMap(\.entry.deletionHash)) {
            try withdrawDeletion(deletion, at: moment)
        }
    }
}

/// An order that is still open, and whether a server works on it.
private struct OpenOrder {
    var entry: OutboxEntry
    /// Whether a server is asking Apple at this moment.
    var isTaken: Bool

    init(_ columns: inout SQLColumns, at moment: Timestamp) throws {
        entry = try columns.outboxEntry()
        isTaken = try columns.time() > moment
    }

    /// Apple's refresh token; nil once a server has begun to revoke it.
    var token: AppleToken? {
        guard entry.kind == .revocation, !isTaken, let client = entry.clientID, let sealed = entry.sealed else {
            return nil
        }
        return AppleToken(
            id: AppleTokenID(rawValue: entry.id.rawValue), clientID: client, sealed: sealed, obtainedAt: entry.createdAt
        )
    }
}

extension SQLStatement {
    fileprivate static let personOfSession: Self = """
        SELECT i.team, i.subject FROM sessions s JOIN identities i ON i.id = s.identity_id
        WHERE s.id = ?1 AND i.removed_at IS NULL
        """
    /// `own_revoke_at` notes a revocation by this service. It stays when the outbox forgets the entries, after thirty days, and
    /// the revocation then counts as done. Only a code that was waiting, and brought no token, leaves the authorization as it
    /// was.
    fileprivate static let findListed: Self = """
        SELECT i.id FROM identities i
        WHERE i.id = ?1 AND (i.access_ended_at IS NULL OR i.access_end_reason = ?3)
            AND (i.own_revoke_at IS NULL OR (
                EXISTS (SELECT o.id FROM outbox o
                    WHERE o.person_hash = ?2 AND o.kind = 'code' AND o.finished_at >= i.own_revoke_at)
                AND NOT EXISTS (SELECT o.id FROM outbox o
                    WHERE o.person_hash = ?2 AND o.kind = 'revocation' AND o.state = 'done'
                        AND o.finished_at >= i.own_revoke_at)))
        """
    fileprivate static let takeAppleTokens: Self = """
        DELETE FROM apple_tokens WHERE identity_id = ?1 RETURNING id, client_id, sealed, obtained_at
        """
    /// Takes the identity from a waiting code. A token that such a code brings is revoked, since no identity keeps it.
    fileprivate static let revokeWaitingCodes: Self = """
        UPDATE outbox SET identity_id = NULL, ordered_at = ?3
        WHERE kind = 'code' AND finished_at IS NULL
            AND (identity_id = ?1 OR (person_hash = ?2 AND identity_id IS NULL AND ordered_at IS NULL))
        """
    /// Notes the order on a person's codes, so that a token which a code still brings is revoked, too. Codes that are parked
    /// or expired get the note as well, because a server may still be asking Apple about one.
    static let noteOrderOnCodes: Self = """
        UPDATE outbox SET ordered_at = ?2
        WHERE person_hash = ?1 AND kind = 'code' AND state IN ('waiting', 'parked', 'expired')
        """
    fileprivate static let noteOrderOnIdentity: Self = "UPDATE identities SET revocation_ordered_at = ?2 WHERE id = ?1"
    /// An entry of any kind: a code that waits may bring a token that is to be revoked.
    fileprivate static let anyOpenEntry: Self = """
        SELECT id FROM outbox WHERE person_hash = ?1 AND finished_at IS NULL LIMIT 1
        """
    /// Postpones the revocations that wait. One that is being tried at this moment goes its way.
    fileprivate static let postponeRevocations: Self = """
        UPDATE outbox SET next_attempt_at = ?2
        WHERE person_hash = ?1 AND state = 'waiting' AND kind = 'revocation' AND next_attempt_at < ?2
            AND leased_until <= ?3
        """

    /// The orders are revocations, and codes that belong to a deletion or have no identity. A code that waits for an identity
    /// is no order. A revocation that nobody has ordered, and no server has tried, counts whatever its time: its token may have
    /// come for the same person at the same time.
    fileprivate static let openOrders: Self = """
        SELECT \(outboxColumns), leased_until FROM outbox
        WHERE person_hash = ?1 AND finished_at IS NULL
            AND (coalesce(ordered_at, created_at) <= ?2
                OR (kind = 'revocation' AND ordered_at IS NULL AND identity_id IS NULL AND deletion_hash IS NULL
                    AND attempts = 0))
            AND (kind = 'revocation' OR (kind = 'code' AND (identity_id IS NULL OR deletion_hash IS NOT NULL)))
        ORDER BY created_at, id
        """
    fileprivate static let giveCodeBack: Self = """
        UPDATE outbox SET identity_id = ?2, deletion_hash = NULL, ordered_at = NULL WHERE id = ?1
        """
    static let removeOrder: Self = "DELETE FROM outbox WHERE id = ?1"
    /// Clears `asked_at` unless a server is asking Apple now: an earlier question cannot explain a later notification.
    fileprivate static let withdrawOrder: Self = """
        UPDATE outbox SET state = 'withdrawn', finished_at = ?2, sealed = NULL,
            asked_at = CASE WHEN leased_until > ?2 THEN asked_at ELSE NULL END
        WHERE id = ?1
        """
}
