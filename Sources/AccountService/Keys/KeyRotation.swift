import AccountDatabase
package import AppleID
import Crypto

/// Changes the key that signs access tokens, while servers run.
///
/// The next key, which is published already, signs from now on; the active one retires and verifies until the last
/// token that it signed is dead; a new one is published as the next. Servers see it within ``ServerKeys/pollInterval``,
/// and none refuses a token meanwhile: each knew the next key before it signed.
package struct KeyRotation: Sendable {
    /// How long the next key must have been published before it signs: as long as another service may hold a key set
    /// (five minutes), as a server here may take to see the key, and a margin.
    package static let minimumPublication: Duration = .minutes(10)

    package struct Outcome: Hashable, Sendable {
        package var retired: ServerKeyID
        package var active: ServerKeyID
        package var next: ServerKeyID
    }

    private let store: AccountTransactions
    private let seal: Seal
    private let environment: AppleIDEnvironment

    package init(store: AccountTransactions, keyRing: KeyRing, environment: AppleIDEnvironment = .live) {
        self.store = store
        seal = Seal(.serverKey, keyRing: keyRing)
        self.environment = environment
    }

    /// - Parameter atOnce: whether a next key is taken that other services may not know yet: for a key that got out.
    /// - Throws: ``AccountError/Code/keyTooYoung`` without `atOnce`, ``AccountError/Code/configuration`` when the store
    ///   has no keys or the ring does not open the next, ``AccountError/Code/unavailable`` when somebody else was
    ///   faster.
    package func rotate(atOnce: Bool = false) async throws -> Outcome {
        let now = Timestamp(environment.now())
        let keys = try await store.serverKeys().filter { $0.purpose == .accessTokens }
        guard let active = keys.first(where: { $0.state == .active }),
            let next = keys.first(where: { $0.state == .next })
        else {
            throw AccountError(.configuration, "the store has no signing keys yet: a server makes them when it starts")
        }
        guard atOnce || now - next.createdAt >= Self.minimumPublication else {
            throw AccountError(
                .keyTooYoung, "the next key was published less than ten minutes ago, so other services may not know it")
        }
        // A key that no server opens must not become the one that all need.
        _ = try seal.open(next.sealed, row: next.id.rawValue)
        let newID = ServerKeyID(at: now, randomness: environment.randomBytes(10))
        let new = ServerKey(
            id: newID, purpose: .accessTokens, state: .next,
            sealed: try seal.seal(Array(P256.Signing.PrivateKey().rawRepresentation), row: newID.rawValue),
            createdAt: now)
        let isDone = try await store.rotateServerKeys(
            ServerKeyRotation(
                at: now, active: active.id, newNext: new, forgetBefore: now - ServerKeys.retiredLifetime, by: .operator)
        )
        guard isDone else {
            throw AccountError(.unavailable, "the keys were being rotated by somebody else")
        }
        return Outcome(retired: active.id, active: next.id, next: newID)
    }
}

/// Everything that a change of the signing key writes, in one transaction.
package struct ServerKeyRotation: Hashable, Sendable {
    package var at: Timestamp
    /// Which key must still be the active one: of two who rotate at once, one does.
    package var active: ServerKeyID
    /// Becomes the next one, when the present next has become the active one.
    package var newNext: ServerKey
    /// Keys that retired before are removed.
    package var forgetBefore: Timestamp
    package var actor: AuditActor

    package init(
        at: Timestamp, active: ServerKeyID, newNext: ServerKey, forgetBefore: Timestamp, by actor: AuditActor
    ) {
        self.at = at
        self.active = active
        self.newNext = newNext
        self.forgetBefore = forgetBefore
        self.actor = actor
    }
}

extension AccountTransactions {
    /// Makes the next key the active one, retires that, inserts a new next one, removes keys that retired long ago, and
    /// appends it to the audit.
    /// - Returns: false, and nothing was written, when the rotation's active key is not the active one any more.
    package func rotateServerKeys(_ rotation: ServerKeyRotation) async throws -> Bool {
        let new = rotation.newNext
        return try await write { connection in
            // The transaction that retires the key has its row's lock until the end, and a second one finds no active
            // key of this id.
            let purpose = try SQLValue.text(new.purpose)
            let isOurs = try connection.execute(
                .retireServerKey, [.id(rotation.active), purpose, .time(rotation.at)])
            guard isOurs > 0 else { return false }
            let activated = try connection.first(.activateServerKey, [purpose]) { try $0.word(ServerKeyID.self) }
            guard let activated else {
                throw AccountError(.configuration, "the store has no next key to make the active one")
            }
            try connection.execute(
                .insertNextServerKey,
                [.id(new.id), purpose, .text(ServerKey.State.next), .bytes(new.sealed), .time(new.createdAt)])
            try connection.execute(.forgetServerKeys, [.time(rotation.forgetBefore)])
            try connection.append(
                AuditEntry(
                    .keysRotated, at: rotation.at, by: rotation.actor, account: nil, subject: activated.rawValue,
                    detail: new.purpose.rawValue))
            return true
        }
    }

    /// - Returns: how many went.
    package func removeServerKeys(retiredBefore moment: Timestamp) async throws -> Int {
        try await write { try $0.execute(.forgetServerKeys, [.time(moment)]) }
    }
}

extension SQLStatement {
    fileprivate static let retireServerKey: Self = """
        UPDATE server_keys SET state = 'retired', retired_at = ?3
        WHERE id = ?1 AND purpose = ?2 AND state = 'active'
        """
    fileprivate static let activateServerKey: Self = """
        UPDATE server_keys SET state = 'active' WHERE purpose = ?1 AND state = 'next' RETURNING id
        """
    fileprivate static let insertNextServerKey: Self = """
        INSERT INTO server_keys (id, purpose, state, sealed, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
        """
    fileprivate static let forgetServerKeys: Self = """
        DELETE FROM server_keys WHERE state = 'retired' AND retired_at < ?1
        """
}
