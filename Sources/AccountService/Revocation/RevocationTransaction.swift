import AccountDatabase
import AppleIDTypes

extension AccountTransactions {
    /// Moves the tokens held for the session's identity into the outbox, to be revoked, with what a code brought; what
    /// a code brings that still waits there is revoked too. If there is any, the identity counts as revoked until the
    /// next authorization, and its account's clients are told.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed`` like ``signIn(_:)`` and
    /// ``AccountError/Code/sessionEnded`` unless the session lives.
    /// - Returns: how many tokens are to be revoked, or codes to be redeemed for it. With none the person has to remove
    ///   the app by hand, unless Apple is being asked already or the authorization has ended.
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

    /// Whether Apple may go on listing the app for an identity for which nothing is open: neither has Apple said that
    /// the authorization has ended, nor has it accepted a revocation since the person last authorized the app.
    ///
    /// A dead grant is no end. Apple also ends refresh tokens when the person changes their password.
    func mayBeListed(_ identity: IdentityID, _ personHash: TokenHash) throws -> Bool {
        try returnsRow(
            .findListed, [.id(identity), .hash(personHash), .text(SessionEndReason.appleGrantDead)])
    }

    /// Whether Apple may go on listing the app for an identity, and the outbox has nothing open for its person.
    func mayBeListedWithNothingOpen(_ identity: IdentityID, _ personHash: TokenHash) throws -> Bool {
        try !returnsRow(.anyOpenEntry, [.hash(personHash)]) && mayBeListed(identity, personHash)
    }

    /// Orders that everything is revoked which an identity has of Apple's: its tokens, and what its waiting codes bring.
    /// For a transaction that has locked the person and raised the account's revision.
    /// - Parameter token: one more, which a code has just brought.
    /// - Returns: how many tokens are to be revoked, or codes to be redeemed for it.
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

    /// Every token held for an identity is to be revoked, and is held no more.
    /// - Returns: which they were.
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

    /// Orders the revocation of a token, in place of what was ordered of the same token before: a token of an app's
    /// authorization may be held twice, for the person and for a code of ours. If a deletion waited for
    /// the earlier order, it no longer does: the person has signed in since.
    func placeOrder(_ revocation: OutboxEntry, at moment: Timestamp) throws {
        let earlier = try first(.outboxEntry, [.id(revocation.id)]) { try $0.outboxEntry() }
        try execute(.removeOrder, [.id(revocation.id)])
        try insertOutbox(revocation)
        if let earlier, earlier.state.isOpen, let deletion = earlier.deletionHash, deletion != revocation.deletionHash {
            try withdrawDeletion(deletion, at: moment)
        }
    }

    /// The person is back, with an authorization at Apple that an old revocation would end: what was ordered before
    /// is called off, and a deletion that waited for it is withdrawn.
    ///
    /// A token that has not been revoked is the person's again. It, or the code that would have brought one, goes to
    /// the identity, since the credential may have brought none. A token of Apple's that is on its way to be revoked is
    /// not called back. For a transaction that has locked the person.
    /// - Parameter newToken: takes the place of the old one of its client.
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

/// Something that is to be revoked, or redeemed for it.
private struct OpenOrder {
    var entry: OutboxEntry
    /// Somebody has it: Apple is being asked at this moment.
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
    /// Entries of the outbox are forgotten after thirty days, and `own_revoke_at` stays. It was noted for tokens, or for
    /// codes that were waiting: only a code that has brought none leaves the authorization as it was.
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
    /// Without an identity to keep it for, what a code brings is revoked.
    fileprivate static let revokeWaitingCodes: Self = """
        UPDATE outbox SET identity_id = NULL, ordered_at = ?3
        WHERE kind = 'code' AND finished_at IS NULL
            AND (identity_id = ?1 OR (person_hash = ?2 AND identity_id IS NULL AND ordered_at IS NULL))
        """
    /// Notes the order on a person's codes, so that a token which a code still brings is revoked, too. That includes
    /// codes that nobody waits for any more, or did not wait for yet when another had them.
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

    /// A code that waits for an identity which is there is no revocation. Those of a deletion, and those without an
    /// identity, are. A revocation that nobody has ordered gives way to any proof: it may be of a token that came for
    /// the same person at the same time.
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
