import AccountDatabase
import AppleIDTypes

extension AccountTransactions {
    /// Moves a person to the team that received the app: one transaction.
    ///
    /// The account, its name, sessions, consents and other identities stay as they are. The identity has the new subject
    /// and, where Apple told one, the new relay address. For a person of another store it makes the account of the file's
    /// id. What Apple has said of the person under the new subject before applies now.
    /// - Parameter deletion: see ``AppleNotification/deletion``.
    /// - Returns: the outcome, which the transfer's row holds, too.
    package func move(
        _ id: TransferID, to target: TransferTarget, at moment: Timestamp, by actor: AuditActor,
        identityID: IdentityID, deletion: TokenHash? = nil
    ) async throws -> TransferMove {
        let hash = TokenHash.person(team: target.team, subject: target.subject)
        return try await write { connection in
            guard let before = try connection.transfer(id) else { return .gone }
            try connection.lock(people: [hash] + before.formerPerson)
            guard let transfer = try connection.transfer(id) else { return .gone }
            guard transfer.state != .moved else { return .movedBefore }
            let move = TransferTransaction(
                transfer: transfer, target: target, hash: hash, at: moment, actor: actor, way: .import,
                newIdentityID: identityID, deletion: deletion, connection: connection)
            return try move.run()
        }
    }

    /// Moves the person of an identity whom a verified identity token describes, if their transfer is not complete.
    /// - Returns: whether they were moved.
    func moveProvenPerson(
        _ person: SignInRecord.Person, of identity: IdentityID, at moment: Timestamp, by actor: AuditActor
    ) async throws -> Bool {
        guard let subject = person.transferSubject else { return false }
        let hash = TokenHash.person(team: person.team, subject: person.subject)
        return try await write { connection in
            let before = try connection.transfer(to: person.team, subject)
            guard let before, before.identity == identity else { return false }
            try connection.lock(people: [hash] + before.formerPerson)
            guard let transfer = try connection.transfer(before.id), transfer.state != .moved else { return false }
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
    fileprivate var formerPerson: [TokenHash] {
        formerSubject.map { [TokenHash.person(team: source, subject: $0)] } ?? []
    }
}

extension SQLConnection {
    /// Locks the person of a sign-in, and the same person at the team that sent the app, if they are to be moved.
    func lock(personOf record: SignInRecord, _ keys: PersonKeys) throws {
        guard let subject = record.person.transferSubject else { return try lock(person: keys.hash) }
        let transfer = try transfer(to: record.person.team, subject)
        try lock(people: [keys.hash] + (transfer?.formerPerson ?? []))
    }

    /// Moves the person of a sign-in whose transfer was not complete. For a transaction that has locked the person by
    /// ``lock(personOf:_:)`` and found no identity.
    /// - Returns: whether they were moved, and have an identity now.
    func moveSignedInPerson(of record: SignInRecord, _ keys: PersonKeys) throws -> Bool {
        let person = record.person
        guard let subject = person.transferSubject, let transfer = try transfer(to: person.team, subject),
            transfer.state != .moved
        else { return false }
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

/// The transaction that moves one person, step by step. The person is locked, at both teams.
private struct TransferTransaction {
    let transfer: PersonTransfer
    let target: TransferTarget
    /// The hash of the person at the receiving team.
    let hash: TokenHash
    let at: Timestamp
    let actor: AuditActor
    let way: TransferWay
    /// Used only where the person has no identity here yet.
    let newIdentityID: IdentityID
    /// See ``AppleNotification/deletion``; nil where an end of consent at Apple deletes no account.
    var deletion: TokenHash?
    let connection: any SQLConnection

    private struct Found {
        var id: IdentityID
        var account: AccountID
        var team: TeamID
        var subject: Subject
        var lastAuthorizedAt: Timestamp?

        init(_ columns: inout SQLColumns) throws {
            id = try columns.word()
            account = try columns.word()
            team = try columns.word()
            subject = try columns.word()
            lastAuthorizedAt = try columns.optionalTime()
        }
    }

    func run() throws -> TransferMove {
        let there = try connection.first(.identityOfPerson, [.text(target.team), .text(target.subject)]) {
            try Found(&$0)
        }
        guard let identity = transfer.identity else { return try receive(there) }
        guard let found = try connection.first(.identityToMove, [.id(identity)], decode: { try Found(&$0) }),
            try connection.lock(account: found.account)
        else {
            try connection.execute(.removeTransfer, [.id(transfer.id)])
            return .gone
        }
        guard found.team == transfer.source else { return try fail(.identityChanged) }
        if let there {
            guard there.account == found.account else { return try fail(.accountExists) }
            try join(found, to: there)
            return try finish(there, formerly: found)
        }
        try connection.execute(
            .moveIdentity, [.id(found.id), .text(target.team), .text(target.subject)])
        try setRelayAddress(of: found.id)
        return try finish(found, formerly: found)
    }

    /// Makes the account of a person whose data came from another store, under the same id.
    private func receive(_ there: Found?) throws -> TransferMove {
        // A merge may be under way that gives the account's place to another account.
        try connection.lock(account: transfer.account)
        let account = try connection.accountMerged(from: transfer.account)?.into ?? transfer.account
        if let there {
            guard there.account == account else { return try fail(.accountExists) }
            try connection.lock(account: there.account)
            try removeEarlierTransfer(of: there)
            return try finish(there, formerly: nil)
        }
        guard try !connection.wasDeleted(account) else {
            try connection.execute(.removeTransfer, [.id(transfer.id)])
            return .gone
        }
        if try connection.execute(.insertAccountUnlessThere, [.id(account), .time(at)]) == 0 {
            // Only a file can name an account, so its word counts for accounts of the same file alone: for the account that
            // it names, also where that was merged into another one.
            let isOfFile = try connection.returnsRow(
                .findReceivedAccount,
                [.id(transfer.account), .text(transfer.source), .text(transfer.target), .flag(true)])
            guard isOfFile, try connection.lock(account: account) else { return try fail(.accountIDTaken) }
        }
        var person = SignInRecord.Person(
            team: target.team, subject: target.subject, email: target.relayAddress,
            emailVerified: target.relayAddress != nil, isPrivateEmail: target.relayAddress != nil, realUserStatus: nil)
        person.authorizedAt = at
        let proof = AppleProof(of: person, token: nil, at: at)
        let step = try connection.insertion(of: person, proof, nil, as: newIdentityID, of: account, at: at)
        _ = try connection.run([step])
        guard let made = try connection.first(.identityToMove, [.id(newIdentityID)], decode: { try Found(&$0) }) else {
            throw SQLRowError(column: 0, expected: "the identity that was just written")
        }
        return try finish(made, formerly: nil)
    }

    private func fail(_ failure: TransferFailure) throws -> TransferMove {
        try connection.execute(.noteTransferFailure, [.id(transfer.id), .text(failure), .time(at)])
        return .failed(failure)
    }

    /// Gives the identity that the person has under the receiving team what belongs to the one that they had before, in the
    /// same account.
    private func join(_ former: Found, to there: Found) throws {
        try connection.execute(.moveSessionsOfIdentity, [.id(former.id), .id(there.id)])
        try connection.execute(.dropTokensOfIdentity, [.id(former.id)])
        try removeEarlierTransfer(of: there)
        try connection.execute(.pointTransferAt, [.id(transfer.id), .id(there.id)])
        try connection.keepLinkConsent(of: former.id, for: there.id)
        try connection.markRemoved(former.id, at: at)
    }

    /// An identity has one row for each receiving team, and this transfer's row takes that place.
    private func removeEarlierTransfer(of identity: Found) throws {
        try connection.execute(.removeEarlierTransfer, [.id(transfer.id), .id(identity.id), .text(transfer.target)])
    }

    private func setRelayAddress(of identity: IdentityID) throws {
        guard let address = target.relayAddress else { return }
        // Nobody gets mail at the former one any more.
        try connection.withdrawRelayMails(to: identity, at: at)
        try connection.execute(
            .setRelayAddress,
            [.id(identity), .text(address), .text(orNull: EmailForm.besides(address)), .flag(true)])
    }

    private func finish(_ identity: Found, formerly former: Found?) throws -> TransferMove {
        if let former {
            let formerHash = TokenHash.person(team: former.team, subject: former.subject)
            try connection.execute(.followPerson, [.hash(formerHash), .hash(hash)])
        }
        try connection.execute(
            .settleTransfer,
            [.id(transfer.id), .id(identity.id), .time(at), .text(orNull: former?.subject.rawValue)])
        try connection.append(
            AuditEntry(
                .identityTransferred, at: at, by: actor, account: identity.account, subject: identity.id.rawValue,
                detail: way.rawValue))
        try connection.appendEvent(
            .identityTransferred, of: identity.account, at: at, about: identity.id.rawValue, reason: way.rawValue)
        // Apple names the person by the new subject since the app moved. The service has kept that, and knew nobody.
        try connection.applyEarlyNotifications(
            of: target.team, about: target.subject, since: identity.lastAuthorizedAt, deletion: deletion, at: at)
        return .moved(identity.account)
    }
}

extension SQLStatement {
    private static let foundIdentity: Self = "id, account_id, team, subject, last_authorized_at"
    fileprivate static let identityOfPerson: Self = """
        SELECT \(foundIdentity) FROM identities WHERE provider = 'apple' AND team = ?1 AND subject = ?2
        """
    fileprivate static let identityToMove: Self = """
        SELECT \(foundIdentity) FROM identities WHERE id = ?1 AND removed_at IS NULL
        """
    fileprivate static let moveIdentity: Self = "UPDATE identities SET team = ?2, subject = ?3 WHERE id = ?1"
    /// Forwarding is known of one address, and Apple may have said something about the new one before.
    fileprivate static let setRelayAddress: Self = """
        UPDATE identities SET email = ?2, email_form = ?3, email_verified = ?4, is_private_email = ?4,
            forwarding_on = NULL, forwarding_changed_at = NULL
        WHERE id = ?1
        """
    fileprivate static let moveSessionsOfIdentity: Self = """
        UPDATE sessions SET identity_id = ?2 WHERE identity_id = ?1
        """
    fileprivate static let dropTokensOfIdentity: Self = "DELETE FROM apple_tokens WHERE identity_id = ?1"
    fileprivate static let removeEarlierTransfer: Self = """
        DELETE FROM transfers WHERE identity_id = ?2 AND target = ?3 AND id <> ?1
        """
    fileprivate static let pointTransferAt: Self = "UPDATE transfers SET identity_id = ?2 WHERE id = ?1"
    /// Revocations that wait, and those that Apple was asked for, are found by the person at the receiving team.
    fileprivate static let followPerson: Self = "UPDATE outbox SET person_hash = ?2 WHERE person_hash = ?1"
    fileprivate static let insertAccountUnlessThere: Self = """
        INSERT INTO accounts (id, revision, created_at) VALUES (?1, 1, ?2) ON CONFLICT (id) DO NOTHING
        """
    fileprivate static let findReceivedAccount: Self = """
        SELECT id FROM transfers
        WHERE account_id = ?1 AND source = ?2 AND target = ?3 AND is_received = ?4 AND state = 'moved'
            AND former_subject IS NULL
        """
    fileprivate static let settleTransfer: Self = """
        UPDATE transfers SET state = 'moved', failure = NULL, identity_id = ?2, moved_at = ?3, updated_at = ?3,
            former_subject = coalesce(?4, former_subject)
        WHERE id = ?1
        """
    fileprivate static let noteTransferFailure: Self = """
        UPDATE transfers SET state = 'failed', failure = ?2, updated_at = ?3 WHERE id = ?1
        """
    fileprivate static let removeTransfer: Self = "DELETE FROM transfers WHERE id = ?1"
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
