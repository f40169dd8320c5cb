import AccountService
import AppleIDTypes

extension SQLConnection {
    /// Finds the person's account and brings it up to date, or makes one. For a transaction that has locked the person.
    ///
    /// An older program beside this one may make or remove the same person's account between two of these statements;
    /// the unique index over identities decides, and then the other's account is taken.
    /// - Parameters:
    ///   - name: its parts replace the stored ones; a part that is missing leaves the stored one, as nil leaves all.
    ///   - traces: found in this transaction; looked for anew where they were not up to date.
    func signInPerson(
        _ record: SignInRecord, name: PersonName?, _ traces: inout PersonTraces, _ keys: PersonKeys
    ) throws -> SignedInPerson {
        if let known = try knownPerson(traces.identity, record, name: name) { return known }
        if traces.identity != nil {
            // Gone since, and what its removal has ordered was not there to be found.
            traces = try findTraces(of: keys)
        }
        if let new = try newPerson(record, name: name, traces) { return new }
        traces = try findTraces(of: keys)
        if let known = try knownPerson(traces.identity, record, name: name) { return known }
        throw AccountError(.unavailable, "The account was being removed while its person signed in.")
    }

    private func knownPerson(
        _ found: PersonTraces.Identity?, _ record: SignInRecord, name: PersonName?
    ) throws -> SignedInPerson? {
        let person = record.person
        guard let found, let stored = try raiseRevision(of: found.account, name: name) else { return nil }
        guard !stored.isDisabled else {
            throw AccountError(.accountDisabled, "the account has been disabled by its service's operator")
        }
        let facts = try authorize(found.id, of: found.account, person, record.proof, at: record.at)
        guard let facts else { return nil }
        let account = Account(
            id: found.account, name: stored.name, email: facts.email, emailVerified: facts.isVerified,
            isPrivateEmail: facts.isPrivate, createdAt: stored.createdAt, appleAccess: facts.access)
        return SignedInPerson(account: account, identity: found.id, isNew: false, revision: stored.revision)
    }

    private func newPerson(
        _ record: SignInRecord, name: PersonName?, _ traces: PersonTraces
    ) throws -> SignedInPerson? {
        let person = record.person
        let proof = record.proof
        let early = traces.hasNotifications ? try earlyWord(of: person, proof) : nil
        try execute(.insertAccount, [.id(record.newAccountID), .time(record.at)] + SQLValue.name(name))
        let inserted = try execute(
            .insertIdentity,
            [
                .id(record.newIdentityID), .id(record.newAccountID), .text(person.team), .text(person.subject),
                .text(orNull: person.email), .flag(person.emailVerified), .flag(person.isPrivateEmail),
                .int64(orNull: person.realUserStatus.map { Int64($0.rawValue) }), .time(record.at),
                .text(orNull: person.organizationID), .time(proof.authorizedAt),
                early.map { .flag($0.forwardsEmail) } ?? .null, early.map { .time($0.happenedAt) } ?? .null,
            ])
        guard inserted > 0 else {
            try execute(.removeUnusedAccount, [.id(record.newAccountID)])
            return nil
        }
        let account = Account(
            id: record.newAccountID, name: name, email: person.email, emailVerified: person.emailVerified,
            isPrivateEmail: person.isPrivateEmail, createdAt: record.at,
            appleAccess: AppleAccess(
                forwardsEmail: early?.forwardsEmail, realUserStatus: person.realUserStatus,
                organizationID: person.organizationID,
                lastAuthorizedAt: proof.authorizedAt))
        return SignedInPerson(account: account, identity: record.newIdentityID, isNew: true, revision: 1)
    }

    /// Nil when the account has been removed since it was found.
    private func raiseRevision(
        of account: AccountID, name: PersonName?
    ) throws -> RaisedAccount? {
        func decode(_ columns: inout SQLColumns) throws -> RaisedAccount {
            try RaisedAccount(
                revision: columns.int64(), createdAt: columns.time(), isDisabled: columns.optionalTime() != nil,
                name: columns.name())
        }
        guard let name else {
            return try first(.raiseRevision, [.id(account)], decode: decode)
        }
        return try first(.raiseRevisionAndRename, [.id(account)] + SQLValue.name(name), decode: decode)
    }

    /// Notes that the person uses the app, and what Apple says of them. For a transaction that has locked the account.
    ///
    /// Throws `AccountError` with the code `tokenTooOld` when access at Apple ended after all that is proven.
    /// - Returns: nil when the identity has been removed from the account since it was found.
    func authorize(
        _ identity: IdentityID, of account: AccountID, _ person: SignInRecord.Person, _ proof: AppleProof,
        at moment: Timestamp
    ) throws -> IdentityFacts? {
        var values: [SQLValue] = try [
            .id(identity), .id(account), .time(moment),
            .int64(orNull: person.realUserStatus.map { Int64($0.rawValue) }), .text(orNull: person.organizationID),
            .time(proof.authorizedAt), .time(proof.until),
        ]
        let statement: SQLStatement
        if let email = person.email {
            statement = .updateIdentityAndAddress
            values += try [.text(email), .flag(person.emailVerified), .flag(person.isPrivateEmail)]
        } else {
            statement = .updateIdentity
        }
        if let facts = try first(statement, values, decode: { try IdentityFacts(&$0) }) { return facts }
        try requireNoNewerEnd(of: identity)
        return nil
    }

    private func requireNoNewerEnd(of identity: IdentityID) throws {
        guard try !returnsRow(.findEndedAccess, [.id(identity)]) else {
            throw AccountError(
                .tokenTooOld, "the identity token was issued before the person stopped using the app")
        }
    }
}

/// What is known of an account once its revision is raised.
private struct RaisedAccount {
    var revision: Int64
    var createdAt: Timestamp
    var isDisabled: Bool
    var name: PersonName?
}

extension SignInRecord {
    var proof: AppleProof { AppleProof(of: person, token: appleToken, at: at) }
}

extension SQLStatement {
    fileprivate static let raiseRevision: Self = """
        UPDATE accounts SET revision = revision + 1 WHERE id = ?1
        RETURNING revision, created_at, disabled_at, \(nameColumns)
        """
    fileprivate static let raiseRevisionAndRename: Self = """
        UPDATE accounts SET revision = revision + 1, given_name = coalesce(?2, given_name),
            family_name = coalesce(?3, family_name), middle_name = coalesce(?4, middle_name),
            name_prefix = coalesce(?5, name_prefix), name_suffix = coalesce(?6, name_suffix),
            nickname = coalesce(?7, nickname)
        WHERE id = ?1 RETURNING revision, created_at, disabled_at, \(nameColumns)
        """
    /// What a credential says of the person, and that they use the app again if they had stopped. A revocation that was
    /// ordered after all that it proves stands.
    private static let authorize: Self = """
        last_sign_in_at = ?3, real_user_status = coalesce(?4, real_user_status), org_id = coalesce(?5, org_id),
        last_authorized_at = CASE WHEN last_authorized_at > ?6 THEN last_authorized_at ELSE ?6 END,
        access_ended_at = NULL, access_end_reason = NULL,
        own_revoke_at = CASE WHEN own_revoke_at > ?7 THEN own_revoke_at ELSE NULL END,
        revocation_ordered_at = CASE WHEN revocation_ordered_at > ?7 THEN revocation_ordered_at ELSE NULL END
        """
    private static let ofProvenIdentity: Self = """
        WHERE id = ?1 AND account_id = ?2 AND removed_at IS NULL
            AND (access_ended_at IS NULL OR access_ended_at <= ?7)
        """
    fileprivate static let updateIdentity: Self = """
        UPDATE identities SET \(authorize) \(ofProvenIdentity) RETURNING \(identityFacts)
        """
    /// What is known of forwarding is about an address.
    fileprivate static let updateIdentityAndAddress: Self = """
        UPDATE identities SET \(authorize), email = ?8, email_verified = ?9, is_private_email = ?10,
            forwarding_on = CASE WHEN email = ?8 THEN forwarding_on ELSE NULL END
        \(ofProvenIdentity) RETURNING \(identityFacts)
        """
    fileprivate static let findEndedAccess: Self = """
        SELECT id FROM identities WHERE id = ?1 AND removed_at IS NULL AND access_ended_at IS NOT NULL
        """
    fileprivate static let insertAccount: Self = """
        INSERT INTO accounts (id, revision, created_at, \(nameColumns)) VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """
    fileprivate static let insertIdentity: Self = """
        INSERT INTO identities (id, account_id, provider, team, subject, email, email_verified, is_private_email,
            real_user_status, created_at, last_sign_in_at, org_id, last_authorized_at, forwarding_on,
            forwarding_changed_at)
        VALUES (?1, ?2, 'apple', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11, ?12, ?13)
        ON CONFLICT (provider, team, subject) DO NOTHING
        """
    fileprivate static let removeUnusedAccount: Self = "DELETE FROM accounts WHERE id = ?1"
}
