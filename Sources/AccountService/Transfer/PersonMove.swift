import AccountDatabase
import AppleIDTypes

extension AccountTransactions {
    /// Moves a person to the team that received the app: one transaction.
    ///
    /// The account, its name, sessions, consents and other identities stay as they are. The identity has the new
    /// subject and, if Apple told it, the new relay address. For a person of another store it makes the account of the
    /// file's id. What Apple has said of the person under the new subject before applies now.
    /// - Parameters:
    ///   - deletion: see ``AppleNotification/deletion``.
    ///   - replacement: the accounts that may give way to the person's former account.
    /// - Returns: the outcome, which the transfer's row holds, too.
    package func move(
        _ id: TransferID, to target: TransferTarget, at moment: Timestamp, by actor: AuditActor,
        identityID: IdentityID, deletion: TokenHash? = nil, replacing replacement: TransferReplacement? = nil
    ) async throws -> TransferMove {
        let hash = TokenHash.person(team: target.team, subject: target.subject)
        return try await lockingPeople { connection in
            guard let before = try connection.transfer(id) else { return .gone }
            let locked = [hash] + before.formerPerson
            try connection.lock(people: locked)
            guard let transfer = try connection.transfer(id) else { return .gone }
            guard transfer.state != .moved else { return .movedBefore }
            try transfer.requireLocked(locked)
            let move = TransferTransaction(
                transfer: transfer, target: target, hash: hash, at: moment, actor: actor, way: .import,
                newIdentityID: identityID, deletion: deletion, replacement: replacement, connection: connection)
            return try move.run()
        }
    }

    /// Moves the person of an identity whom a verified identity token describes, if their transfer is not complete.
    /// - Returns: whether they were moved, now or meanwhile.
    func moveProvenPerson(
        _ person: SignInRecord.Person, of identity: IdentityID, at moment: Timestamp, by actor: AuditActor
    ) async throws -> Bool {
        guard let subject = person.transferSubject else { return false }
        let hash = person.personHash
        return try await lockingPeople { connection in
            let before = try connection.transfer(to: person.team, subject)
            guard let before, before.identity == identity else { return false }
            let locked = [hash] + before.formerPerson
            try connection.lock(people: locked)
            guard let transfer = try connection.transfer(before.id), transfer.identity == identity else { return false }
            guard transfer.state != .moved else { return true }
            try transfer.requireLocked(locked)
            let move = TransferTransaction(
                transfer: transfer, target: TransferTarget(team: person.team, subject: person.subject), hash: hash,
                at: moment, actor: actor, way: .signIn, newIdentityID: identity, connection: connection)
            guard case .moved = try move.run() else { return false }
            return true
        }
    }
}

extension PersonTransfer {
    /// The person at the sending team, whom a transaction locks beside the person at the receiving team.
    var formerPerson: [TokenHash] {
        formerSubject.map { [TokenHash.person(team: source, subject: $0)] } ?? []
    }

    /// Requires that a transaction has locked the person at the sending team.
    fileprivate func requireLocked(_ people: [TokenHash]) throws {
        guard Set(formerPerson).isSubset(of: people) else { throw PersonNotLocked() }
    }
}

extension SQLConnection {
    /// Moves the person of a sign-in whose transfer was not complete. For a transaction that has found no identity.
    ///
    /// Throws ``PersonNotLocked`` if Apple's answer about the person was kept while the transaction waited for the
    /// person.
    /// - Parameter locked: the people whom ``lock(personOf:_:)`` has locked.
    /// - Returns: whether they were moved, and have an identity now.
    func moveSignedInPerson(of record: SignInRecord, _ keys: PersonKeys, locked: [TokenHash]) throws -> Bool {
        let person = record.person
        guard let subject = person.transferSubject, let transfer = try transfer(to: person.team, subject),
            transfer.state != .moved
        else { return false }
        try transfer.requireLocked(locked)
        let actor = AuditActor.account(through: record.session.id, from: record.caller)
        let move = TransferTransaction(
            transfer: transfer, target: TransferTarget(team: person.team, subject: person.subject), hash: keys.hash,
            at: record.at, actor: actor, way: .signIn, newIdentityID: record.newIdentityID, connection: self)
        if case .moved = try move.run() { return true }
        return false
    }

    /// Whether a person is to be moved, and has an account as soon as they sign in.
    func isToBeMoved(_ person: SignInRecord.Person) throws -> Bool {
        guard let subject = person.transferSubject, let transfer = try transfer(to: person.team, subject) else {
            return false
        }
        return transfer.state != .moved
    }

    func transfer(_ id: TransferID) throws -> PersonTransfer? {
        try first(.transferByID, [.id(id)]) { try PersonTransfer(&$0) }
    }

    func transfer(to team: TeamID, _ subject: Subject) throws -> PersonTransfer? {
        try first(.transferBySubject, [.text(team), .text(subject)]) { try PersonTransfer(&$0) }
    }

    /// The transfers of an identity, in their order.
    func transfers(of identity: IdentityID) throws -> [PersonTransfer] {
        try query(.transfersOfIdentity, [.id(identity)]) { try PersonTransfer(&$0) }
    }

    /// Whether a refresh token is from before its app moved to another team, and was not alive since. Apple doesn't say
    /// whether such a token stays good, so its death says nothing about the person.
    func isFromBeforeTransfer(_ token: AppleTokenID) throws -> Bool {
        try returnsRow(.tokenBeforeTransfer, [.id(token)])
    }

    /// Forgets people of another store who were not moved, and whom nobody has touched since a moment.
    /// - Returns: how many rows went.
    func sweepTransfers(before moment: Timestamp, limit: Int64) throws -> Int {
        try execute(.sweepTransfers, [.time(moment), .int64(limit)])
    }

    /// Forgets the transfers of an identity that is removed.
    func removeTransfers(of identity: IdentityID) throws {
        try execute(.removeTransfers, [.id(identity)])
    }
}

extension SQLStatement {
    fileprivate static let removeTransfers: Self = "DELETE FROM transfers WHERE identity_id = ?1"
    fileprivate static let sweepTransfers: Self = """
        DELETE FROM transfers WHERE id IN
            (SELECT id FROM transfers WHERE identity_id IS NULL AND updated_at <= ?1 ORDER BY updated_at LIMIT ?2)
        """
    fileprivate static let tokenBeforeTransfer: Self = """
        SELECT a.id FROM apple_tokens a JOIN transfers t ON t.identity_id = a.identity_id
        WHERE a.id = ?1 AND t.state = 'moved' AND t.moved_at >= a.obtained_at
            AND (a.last_checked_at IS NULL OR a.last_checked_at <= t.moved_at)
        """
}
