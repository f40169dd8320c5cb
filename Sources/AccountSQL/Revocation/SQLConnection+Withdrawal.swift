import AccountService
import AppleIDTypes

/// Something that is to be revoked, or redeemed for it.
private struct OpenOrder {
    var entry: OutboxEntry
    /// Somebody has it: Apple is being asked at this moment.
    var isTaken: Bool

    init(_ columns: inout SQLColumns, at moment: Timestamp) throws {
        entry = try columns.outboxEntry()
        isTaken = try columns.time() > moment
    }

    /// Of Apple, as long as it can be had back.
    var token: AppleToken? {
        guard entry.kind == .revocation, !isTaken, let client = entry.clientID, let sealed = entry.sealed else {
            return nil
        }
        return AppleToken(
            id: AppleTokenID(rawValue: entry.id.rawValue), clientID: client, sealed: sealed, obtainedAt: entry.createdAt
        )
    }
}

extension SQLConnection {
    /// The person is back, with an authorization at Apple that an old revocation would end: what was ordered before
    /// is called off, and a deletion that waited for it is withdrawn.
    ///
    /// What has not been revoked is the person's again: its token, or the code that would have brought one, goes to the
    /// identity, since the credential may have brought none. A token of Apple's that is on its way to be revoked is not
    /// called back. For a transaction that has locked the person.
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
            try closeDeletion(deletion, isWithdrawn: true, at: moment)
        }
    }
}

extension SQLStatement {
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
    /// What Apple was asked before, and is not being asked now, explains nothing that comes.
    fileprivate static let withdrawOrder: Self = """
        UPDATE outbox SET state = 'withdrawn', finished_at = ?2, sealed = NULL,
            asked_at = CASE WHEN leased_until > ?2 THEN asked_at ELSE NULL END
        WHERE id = ?1
        """
}
