import AccountDatabase
import AppleIDTypes

/// The transaction that moves one person, step by step. The person is locked, at both teams.
struct TransferTransaction {
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
    var replacement: TransferReplacement?
    let connection: any SQLConnection

    struct Found {
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
        guard let found = try lockedIdentity(identity, and: there?.account) else {
            try connection.execute(.removeTransfer, [.id(transfer.id)])
            return .gone
        }
        guard found.team == transfer.source else { return try fail(.identityChanged) }
        if let there, there.account == found.account {
            try join(found, to: there)
            return try finish(there, formerly: found)
        }
        if let there {
            guard mayReplace(there) else { return try fail(.accountExists) }
            try release(there)
        }
        try connection.execute(
            .moveIdentity, [.id(found.id), .text(target.team), .text(target.subject)])
        try setRelayAddress(of: found.id)
        guard let there else { return try finish(found, formerly: found) }
        try hand(there, to: found.id)
        return try finish(found, formerly: found, replacing: there)
    }

    /// Reads the identity that is to be moved, with its account locked. Another transaction may remove it until then.
    /// - Parameter other: an account that may be replaced. It is locked, too.
    /// - Returns: nil if the identity or its account is gone.
    private func lockedIdentity(_ id: IdentityID, and other: AccountID?) throws -> Found? {
        guard let before = try identity(id) else { return nil }
        let accounts = Set([before.account] + (replacement == nil ? [] : [other].compactMap(\.self)))
        try connection.lock(accounts: Array(accounts))
        guard let found = try identity(id) else { return nil }
        guard found.account == before.account else { throw PersonNotLocked() }
        return found
    }

    func identity(_ id: IdentityID) throws -> Found? {
        try connection.first(.identityToMove, [.id(id)]) { try Found(&$0) }
    }

    /// Makes the account of a person whose data came from another store, under the same id.
    private func receive(_ there: Found?) throws -> TransferMove {
        let account = try connection.accountMerged(from: transfer.account)?.into ?? transfer.account
        let others = there.map { $0.account == account ? [] : [$0.account] } ?? []
        try connection.lock(accounts: [account] + others)
        // A merge may have given the account's place to another account while this transaction waited.
        guard try connection.accountMerged(from: transfer.account)?.into ?? transfer.account == account else {
            throw PersonNotLocked()
        }
        if let there {
            guard there.account != account else {
                try removeEarlierTransfer(of: there)
                return try finish(there, formerly: nil)
            }
            guard mayReplace(there) else { return try fail(.accountExists) }
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
        if let there { try release(there) }
        person.authorizedAt = at
        let proof = AppleProof(of: person, token: nil, at: at)
        let step = try connection.insertion(of: person, proof, nil, as: newIdentityID, of: account, at: at)
        _ = try connection.run([step])
        guard let made = try identity(newIdentityID) else {
            throw SQLRowError(column: 0, expected: "the identity that was just written")
        }
        guard let there else { return try finish(made, formerly: nil) }
        try hand(there, to: made.id)
        return try finish(made, formerly: nil, replacing: there)
    }

    private func fail(_ failure: TransferFailure) throws -> TransferMove {
        try connection.execute(.noteTransferFailure, [.id(transfer.id), .text(failure), .time(at)])
        return .failed(failure)
    }

    /// Gives the identity that the person has under the receiving team what belongs to the one that they had before, in
    /// the same account.
    private func join(_ former: Found, to there: Found) throws {
        try connection.execute(.moveSessionsOfIdentity, [.id(former.id), .id(there.id)])
        try connection.execute(.dropTokensOfIdentity, [.id(former.id)])
        try removeEarlierTransfer(of: there)
        try connection.execute(.pointTransferAt, [.id(transfer.id), .id(there.id)])
        try connection.keepLinkConsent(of: former.id, for: there.id)
        // The other one may have joined by a consent of its own, and goes with that.
        try connection.withdrawLinkConsent(of: former.id, in: there.account, at: at, by: actor)
        try connection.removeIdentity(former.id, at: at)
    }

    /// An identity has one row for each receiving team, and this transfer's row takes that place.
    private func removeEarlierTransfer(of identity: Found) throws {
        try connection.execute(.removeEarlierTransfer, [.id(transfer.id), .id(identity.id), .text(transfer.target)])
    }

    private func setRelayAddress(of identity: IdentityID) throws {
        guard let address = target.relayAddress else { return }
        // The former relay address takes no mail any more.
        try connection.withdrawRelayMails(to: identity, at: at)
        try connection.execute(
            .setRelayAddress,
            [.id(identity), .text(address), .text(orNull: EmailForm.besides(address)), .flag(true)])
    }

    /// - Parameters:
    ///   - former: the identity as it was at the sending team.
    ///   - replaced: the identity whose person the identity has now.
    private func finish(
        _ identity: Found, formerly former: Found?, replacing replaced: Found? = nil
    ) throws -> TransferMove {
        // An order that nobody has wished must not end the authorization of the person who is there now.
        try connection.execute(.dropUnwishedRevocations, [.hash(hash)])
        if let former {
            let formerHash = TokenHash.person(team: former.team, subject: former.subject)
            try connection.execute(.followPerson, [.hash(formerHash), .hash(hash)])
        }
        try connection.execute(
            .finishTransfer,
            [.id(transfer.id), .id(identity.id), .time(at), .text(orNull: former?.subject.rawValue)])
        try connection.append(
            AuditEntry(
                .identityTransferred, at: at, by: actor, account: identity.account, subject: identity.id.rawValue,
                detail: way.rawValue))
        try connection.appendEvent(
            .identityTransferred, of: identity.account, at: at, about: identity.id.rawValue, reason: way.rawValue)
        // Apple names the person by the new subject since the app moved. The service has kept what it said, without
        // knowing whom it was about.
        let authorizedAt = [identity.lastAuthorizedAt, replaced?.lastAuthorizedAt].compactMap(\.self).max()
        try connection.applyEarlyNotifications(
            of: target.team, about: target.subject, since: authorizedAt, deletion: deletion, at: at)
        return replaced.map { .movedReplacing($0.account, by: identity.account) } ?? .moved(identity.account)
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
    fileprivate static let dropUnwishedRevocations: Self = """
        DELETE FROM outbox
        WHERE person_hash = ?1 AND kind = 'revocation' AND finished_at IS NULL AND ordered_at IS NULL
            AND identity_id IS NULL AND deletion_hash IS NULL
        """
    fileprivate static let insertAccountUnlessThere: Self = """
        INSERT INTO accounts (id, revision, created_at) VALUES (?1, 1, ?2) ON CONFLICT (id) DO NOTHING
        """
    fileprivate static let findReceivedAccount: Self = """
        SELECT id FROM transfers
        WHERE account_id = ?1 AND source = ?2 AND target = ?3 AND is_received = ?4 AND state = 'moved'
            AND former_subject IS NULL
        """
    fileprivate static let finishTransfer: Self = """
        UPDATE transfers SET state = 'moved', failure = NULL, identity_id = ?2, moved_at = ?3, updated_at = ?3,
            former_subject = coalesce(?4, former_subject)
        WHERE id = ?1
        """
    fileprivate static let noteTransferFailure: Self = """
        UPDATE transfers SET state = 'failed', failure = ?2, updated_at = ?3 WHERE id = ?1
        """
    fileprivate static let removeTransfer: Self = "DELETE FROM transfers WHERE id = ?1"
}
