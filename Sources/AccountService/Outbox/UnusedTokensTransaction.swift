import AccountDatabase
import AppleIDTypes

extension AccountTransactions {
    /// Takes in a token of Apple's that no sign-in uses, or none yet: the person's identity keeps it. A person without
    /// an identity here, or who wanted a revocation after they authorized the token, has it revoked, from
    /// `revokingFrom` on, unless they sign in before. Where a revocation of the token is in the outbox, open or not,
    /// nothing happens. A person who may be moved from another team keeps their authorization: with it Apple would
    /// forget who they were there.
    /// - Parameter revokingFrom: nil leaves a token that is not kept, neither held nor revoked.
    /// - Returns: whether it is kept.
    package func keepUnused(
        _ token: AppleToken, of owner: TokenOwner, at: Timestamp, revokingFrom: Timestamp?
    ) async throws -> Bool {
        try await write { connection in
            try connection.lock(person: owner.personHash)
            // Its revocation was ordered before, by a transaction whose end nobody was told.
            let name = OutboxID(rawValue: token.id.rawValue)
            guard try !connection.returnsRow(.outboxEntry, [.id(name)]) else { return false }
            if let identity = try connection.lockedIdentity(of: owner, authorizedAfter: Timestamp(microseconds: 0)) {
                try connection.keepAppleToken(token, of: identity)
                return true
            }
            guard let revokingFrom else { return false }
            let isRevocationWanted = try connection.hasEnded(owner)
            guard try isRevocationWanted || !connection.mayBeMoved(owner) else { return false }
            try connection.insertOutbox(
                OutboxEntry(revokingUnused: token, of: owner, at: at, nextAttemptAt: revokingFrom))
            if isRevocationWanted { try connection.execute(.markRevocationWanted, [.id(name)]) }
            return false
        }
    }
}

extension SQLConnection {
    /// The identity that an entry's answer is for, with everything locked that decides about it; nil when it is gone,
    /// or what the entry brings is to be revoked.
    func lockedIdentity(ofEntry id: OutboxID, _ owner: TokenOwner?) throws -> IdentityID? {
        let noted = try first(.personOfEntry, [.id(id)]) { try $0.optionalBytes().map(TokenHash.init(bytes:)) }
        if let person = noted.flatMap({ $0 }) ?? owner?.personHash { try lock(person: person) }
        // Looked at again: the person may have left, or come back, until they could be locked.
        guard let entry = try first(.outboxEntry, [.id(id)], decode: { try $0.outboxEntry() }) else { return nil }
        let ordered = try first(.orderTimeOfEntry, [.id(id)]) { try $0.optionalTime() }.flatMap { $0 }
        if ordered == nil, entry.state.isOpen, let identity = entry.identityID,
            try returnsRow(.lockAccountOfIdentity, [.id(identity)])
        {
            return identity
        }
        // A person who signs in withdraws the orders of open entries alone. An answer may open an entry again that was
        // given up, so the owner's last authorization decides about it.
        guard let owner else { return nil }
        return try lockedIdentity(of: owner, authorizedAfter: ordered ?? Timestamp(microseconds: 0))
    }

    /// The identity of a token's owner, with its account locked: nil when there is none, or when they have wanted the
    /// token revoked, here or at Apple, since they authorized it.
    /// - Parameter moment: when it was ordered that the token be revoked; who has authorized the app since has it
    ///   again.
    fileprivate func lockedIdentity(of owner: TokenOwner, authorizedAfter moment: Timestamp) throws -> IdentityID? {
        let identity = try first(
            .identityOfOwner,
            [
                .text(owner.team), .text(owner.subject), .time(moment),
                .time(owner.authorizedAt + .microseconds(999_999)),
            ]
        ) { try $0.word(IdentityID.self) }
        guard let identity, try returnsRow(.lockAccountOfIdentity, [.id(identity)]) else { return nil }
        return identity
    }

    /// Keeps a token that came after its sign-in: for the identity, or for the revocation that the person ordered
    /// meanwhile. If nobody has wanted that, since nobody has an account, the revocation is postponed.
    func keepLate(
        _ token: AppleToken, for entry: OutboxEntry, _ owner: TokenOwner?, _ identity: IdentityID?, at: Timestamp
    ) throws {
        if let identity { return try keepAppleToken(token, of: identity) }
        let isRevocationWanted = try owner.map { try self.isRevocationWanted(entry, $0) } ?? true
        if !isRevocationWanted, let owner, try mayBeMoved(owner) { return }
        var revocation =
            if let owner {
                OutboxEntry(
                    revokingUnused: token, of: owner, at: at,
                    nextAttemptAt: isRevocationWanted ? at : at + OutboxEntry.unusedTokenDelay)
            } else {
                OutboxEntry(revoking: token, personHash: entry.personHash, at: at)
            }
        revocation.deletionHash = entry.deletionHash
        try insertOutbox(revocation)
        try execute(.copyOrderTime, [.id(revocation.id), .id(entry.id)])
        if isRevocationWanted { try execute(.markRevocationWanted, [.id(revocation.id)]) }
    }

    /// Whether the person has wanted revoked what an entry brings: by a deletion, by a revocation, or at Apple.
    private func isRevocationWanted(_ entry: OutboxEntry, _ owner: TokenOwner) throws -> Bool {
        let ordered = try first(.orderTimeOfEntry, [.id(entry.id)]) { try $0.optionalTime() }.flatMap { $0 }
        guard ordered == nil, entry.deletionHash == nil else { return true }
        return try hasEnded(owner)
    }

    /// Whether the owner of a token that is not kept has ended the authorization since: an owner with an account has.
    fileprivate func hasEnded(_ owner: TokenOwner) throws -> Bool {
        try returnsRow(.anyIdentityOfOwner, [.text(owner.team), .text(owner.subject)])
    }
}

extension OutboxEntry {
    /// As old as the authorization, so that a sign-in with any proof of it calls it off.
    fileprivate init(
        revokingUnused token: AppleToken, of owner: TokenOwner, at moment: Timestamp, nextAttemptAt: Timestamp
    ) {
        self.init(revoking: token, personHash: owner.personHash, at: min(owner.authorizedAt, moment))
        waitingSince = moment
        self.nextAttemptAt = nextAttemptAt
    }
}

extension SQLStatement {
    fileprivate static let personOfEntry: Self = "SELECT person_hash FROM outbox WHERE id = ?1"
    fileprivate static let orderTimeOfEntry: Self = "SELECT ordered_at FROM outbox WHERE id = ?1"
    fileprivate static let copyOrderTime: Self = """
        UPDATE outbox SET ordered_at = (SELECT c.ordered_at FROM outbox c WHERE c.id = ?2) WHERE id = ?1
        """
    /// Tells the revocation from one that nobody has asked for, and that any sign-in withdraws.
    fileprivate static let markRevocationWanted: Self = """
        UPDATE outbox SET ordered_at = created_at WHERE id = ?1 AND ordered_at IS NULL
        """
    fileprivate static let anyIdentityOfOwner: Self = """
        SELECT id FROM identities WHERE provider = 'apple' AND team = ?1 AND subject = ?2 AND removed_at IS NULL
        """
    /// Finds the identity that keeps its owner's token. An authorization or redemption after a revocation was ordered
    /// is no part of that order.
    fileprivate static let identityOfOwner: Self = """
        SELECT i.id FROM identities i
        WHERE i.provider = 'apple' AND i.team = ?1 AND i.subject = ?2 AND i.removed_at IS NULL
            AND (i.last_authorized_at > ?3 OR (i.last_authorized_at IS NULL AND i.last_sign_in_at > ?3)
                OR EXISTS (SELECT t.id FROM apple_tokens t WHERE t.identity_id = i.id AND t.obtained_at > ?3))
            AND (i.own_revoke_at IS NULL OR i.own_revoke_at <= ?4)
            AND (i.revocation_ordered_at IS NULL OR i.revocation_ordered_at <= ?4)
            AND (i.access_ended_at IS NULL OR i.access_ended_at <= ?4)
        """
    /// Its account's lock, as for every decision over several of its rows.
    fileprivate static let lockAccountOfIdentity: Self = """
        UPDATE accounts SET revision = revision + 1
        WHERE id IN (SELECT account_id FROM identities WHERE id = ?1) RETURNING id
        """
}
