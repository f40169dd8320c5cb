import AccountDatabase
import AppleIDTypes

/// The account and identity that a sign-in found or made.
struct SignedInPerson {
    var account: Account
    var identity: IdentityID
    var isNew: Bool
    /// The account's, as this sign-in has raised it.
    var revision: Int64
}

/// A credential's proof of when its person used the app.
struct AppleProof {
    /// When Apple issued the identity token.
    var authorizedAt: Timestamp
    /// The last moment at which the person certainly used the app. Apple's times are whole seconds, so it is the end of the
    /// second of ``authorizedAt``, or the time at which a token for the code was obtained, if that is later.
    var until: Timestamp

    /// - Parameter token: what a code has brought, if there was one.
    init(of person: SignInRecord.Person, token: AppleToken?, at moment: Timestamp) {
        authorizedAt = person.authorizedAt ?? moment
        until = max(authorizedAt + .microseconds(999_999), token?.obtainedAt ?? authorizedAt)
    }
}

extension SQLConnection {
    /// Finds the person's account and brings it up to date, or makes one. For a transaction that has locked the person.
    ///
    /// An older program beside this one may make or remove the same person's account between two of these statements;
    /// the unique index over identities decides, and then the other's account is taken.
    /// - Parameters:
    ///   - record: The parts of its name replace the stored ones. A part that is missing leaves the stored one, as nil
    ///     leaves all. The name never replaces one that the person typed here, or removed.
    ///   - snapshot: what this transaction has found about the person. It is loaded again if it was out of date.
    func signInPerson(
        _ record: SignInRecord, _ snapshot: inout PersonSnapshot, _ keys: PersonKeys
    ) throws -> SignedInPerson {
        if let known = try updateKnownPerson(snapshot.identity, record) { return known }
        if snapshot.identity != nil {
            // The account was removed since it was found. Its removal may have ordered revocations, so they are read too.
            snapshot = try loadPerson(of: keys)
        }
        if let new = try insertNewPerson(record, snapshot) { return new }
        snapshot = try loadPerson(of: keys)
        if let known = try updateKnownPerson(snapshot.identity, record) { return known }
        throw AccountError(.unavailable, "The account was being removed while its person signed in.")
    }

    /// Brings the account and the identity of a known person up to date.
    /// - Returns: nil without an identity, and when the account or the identity has been removed since it was found.
    private func updateKnownPerson(
        _ found: PersonSnapshot.Identity?, _ record: SignInRecord
    ) throws -> SignedInPerson? {
        let person = record.person
        guard let found else { return nil }
        // Apple gives a name once, which the person has just chosen. Another provider gives its own name each time.
        let name = person.provider == .apple || found.stored.name == nil ? record.name : nil
        guard let stored = try raiseRevision(of: found, name: name) else { return nil }
        guard !stored.isDisabled else {
            throw AccountError(.accountDisabled, "the account has been disabled by its service's operator")
        }
        // Facts that were read earlier are still right if the revision is unchanged: whoever changes them raises it or
        // holds the person's lock. The one exception, a code that is open again, counts as a later change.
        let isUnchanged = stored.revision == found.stored.revision + 1
        if isUnchanged, found.facts.access.ended == nil {
            var news = person
            // SQLite writes an index anew when a statement sets its column, even to the same value.
            if found.facts.haveAddress(of: person) { (news.email, news.forgetsAddress) = (nil, false) }
            let (statement, values) = try authorizationUpdate(
                found.id, of: found.account, news, record.proof, at: record.at)
            try executeLater(statement, values)
        } else {
            guard try noteAuthorization(found.id, of: found.account, person, record.proof, at: record.at) else {
                return nil
            }
        }
        let facts = isUnchanged ? found.facts.authorized(person, record.proof) : try facts(of: found.id)
        let account = Account(
            id: found.account, name: stored.name, email: facts.email, emailVerified: facts.isVerified,
            isPrivateEmail: facts.isPrivate, createdAt: stored.createdAt, isByApple: facts.isApple,
            appleAccess: facts.access,
            appleToken: isUnchanged
                ? (found.holdsAppleToken ? .held : .none) : try appleTokenStatus(of: found.id),
            contact: stored.contact)
        return SignedInPerson(account: account, identity: found.id, isNew: false, revision: stored.revision)
    }

    /// Makes an account and an identity.
    /// - Returns: nil when another transaction has made the person's identity meanwhile. Nothing is made then.
    private func insertNewPerson(_ record: SignInRecord, _ snapshot: PersonSnapshot) throws -> SignedInPerson? {
        let person = record.person
        let proof = record.proof
        try requireNoTransfer(of: person)
        let early = snapshot.hasNotifications ? try preSignInNotification(of: person, proof) : nil
        let account = SQLStep(
            .insertAccount, try [.id(record.newAccountID), .time(record.at)] + SQLValue.name(record.name))
        let identity = try insertion(
            of: person, proof, early, as: record.newIdentityID, of: record.newAccountID, at: record.at)
        guard try run([account, identity]).last != 0 else {
            try execute(.removeUnusedAccount, [.id(record.newAccountID)])
            return nil
        }
        let made = Account(
            id: record.newAccountID, name: record.name, email: person.email, emailVerified: person.emailVerified,
            isPrivateEmail: person.isPrivateEmail, createdAt: record.at, isByApple: person.provider == .apple,
            appleAccess: AppleAccess(
                forwardsEmail: early?.forwardsEmail, realUserStatus: person.realUserStatus,
                organizationID: person.organizationID,
                lastAuthorizedAt: person.provider == .apple ? proof.authorizedAt : nil))
        return SignedInPerson(account: made, identity: record.newIdentityID, isNew: true, revision: 1)
    }

    /// The step that adds an identity to an account, unless somebody has the identity. It touches no row then.
    /// - Parameter early: Apple's word on the forwarding of the person's mail from before there was an identity.
    func insertion(
        of person: SignInRecord.Person, _ proof: AppleProof, _ early: PreSignInNotification?, as id: IdentityID,
        of account: AccountID, at moment: Timestamp
    ) throws -> SQLStep {
        SQLStep(
            .insertIdentity,
            try [
                .id(id), .id(account), .text(person.team), .text(person.subject), .text(orNull: person.email),
                .flag(person.emailVerified), .flag(person.isPrivateEmail),
                .int64(orNull: person.realUserStatus.map { Int64($0.rawValue) }), .time(moment),
                .text(orNull: person.organizationID),
                person.provider == .apple ? .time(proof.authorizedAt) : .null,
                early.map { .flag($0.forwardsEmail) } ?? .null, early.map { .time($0.happenedAt) } ?? .null,
                .text(person.provider),
                .text(orNull: person.provider == .email ? nil : EmailForm.besides(person.email)),
            ])
    }

    /// Raises the account's revision, and writes the name if there is one.
    ///
    /// Without a name, and while the account is as it was found, it avoids `RETURNING`, for which SQLite builds a table.
    /// - Returns: nil when the account has been removed since it was found.
    private func raiseRevision(of found: PersonSnapshot.Identity, name: PersonName?) throws -> StoredAccount? {
        let account = found.account
        if let name {
            return try first(.raiseRevisionAndRename, [.id(account)] + SQLValue.name(name)) { try StoredAccount(&$0) }
        }
        if try execute(.raiseFoundRevision, [.id(account), .int64(found.stored.revision)]) > 0 {
            var stored = found.stored
            stored.revision += 1
            return stored
        }
        return try first(.raiseRevision, [.id(account)]) { try StoredAccount(&$0) }
    }

    /// Notes that the person uses the app, and what Apple says of them. For a transaction that has locked the account.
    ///
    /// Throws `AccountError` with the code `tokenTooOld` when access at Apple ended after all that is proven.
    /// - Returns: false when the identity has been removed from the account since it was found.
    func noteAuthorization(
        _ identity: IdentityID, of account: AccountID, _ person: SignInRecord.Person, _ proof: AppleProof,
        at moment: Timestamp
    ) throws -> Bool {
        let (statement, values) = try authorizationUpdate(identity, of: account, person, proof, at: moment)
        if try execute(statement, values) > 0 { return true }
        try requireNoNewerEnd(of: identity)
        return false
    }

    /// The statement that notes an authorization, with its values.
    private func authorizationUpdate(
        _ identity: IdentityID, of account: AccountID, _ person: SignInRecord.Person, _ proof: AppleProof,
        at moment: Timestamp
    ) throws -> (SQLStatement, [SQLValue]) {
        var values: [SQLValue] = try [
            .id(identity), .id(account), .time(moment),
            .int64(orNull: person.realUserStatus.map { Int64($0.rawValue) }), .text(orNull: person.organizationID),
            person.provider == .apple ? .time(proof.authorizedAt) : .null, .time(proof.until),
        ]
        let statement: SQLStatement
        if person.email != nil || person.forgetsAddress {
            statement = .updateIdentityAndAddress
            values += try [
                .text(orNull: person.email), .flag(person.emailVerified), .flag(person.isPrivateEmail),
                .text(orNull: person.provider == .email ? nil : EmailForm.besides(person.email)),
            ]
        } else {
            statement = .updateIdentity
        }
        return (statement, values)
    }

    private func facts(of identity: IdentityID) throws -> IdentityFacts {
        let facts = try first(.factsOfIdentity, [.id(identity)]) { try IdentityFacts(&$0) }
        guard let facts else { throw SQLRowError(column: 0, expected: "the identity that was just written") }
        return facts
    }

    private func requireNoNewerEnd(of identity: IdentityID) throws {
        guard try !returnsRow(.findEndedAccess, [.id(identity)]) else {
            throw AccountError(
                .tokenTooOld, "the identity token was issued before the person stopped using the app")
        }
    }
}

extension SignInRecord {
    var proof: AppleProof { AppleProof(of: person, token: appleToken, at: at) }
}

extension SQLStatement {
    /// Matches no disabled account.
    fileprivate static let raiseFoundRevision: Self = """
        UPDATE accounts SET revision = revision + 1 WHERE id = ?1 AND revision = ?2 AND disabled_at IS NULL
        """
    fileprivate static let raiseRevision: Self = """
        UPDATE accounts SET revision = revision + 1 WHERE id = ?1 RETURNING \(storedAccount)
        """
    fileprivate static let raiseRevisionAndRename: Self = """
        UPDATE accounts SET revision = revision + 1,
            given_name = CASE WHEN name_typed_at IS NULL THEN coalesce(?2, given_name) ELSE given_name END,
            family_name = CASE WHEN name_typed_at IS NULL THEN coalesce(?3, family_name) ELSE family_name END,
            middle_name = CASE WHEN name_typed_at IS NULL THEN coalesce(?4, middle_name) ELSE middle_name END,
            name_prefix = CASE WHEN name_typed_at IS NULL THEN coalesce(?5, name_prefix) ELSE name_prefix END,
            name_suffix = CASE WHEN name_typed_at IS NULL THEN coalesce(?6, name_suffix) ELSE name_suffix END,
            nickname = CASE WHEN name_typed_at IS NULL THEN coalesce(?7, nickname) ELSE nickname END
        WHERE id = ?1 RETURNING \(storedAccount)
        """
    /// Notes a credential's word on the person, and that they use the app again if they had stopped. A revocation that
    /// was ordered after all that the credential proves stands. ``IdentityFacts/authorized(_:_:)`` makes the same
    /// changes to the facts of the answer.
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
        UPDATE identities SET \(authorize) \(ofProvenIdentity)
        """
    /// Updates the identity and its address. Forwarding is known of one address, so a new address forgets it, and what
    /// Apple said of the former one counts no more, however late it comes.
    fileprivate static let updateIdentityAndAddress: Self = """
        UPDATE identities SET \(authorize), email = ?8, email_verified = ?9, is_private_email = ?10,
            email_form = ?11,
            forwarding_on = CASE WHEN email = ?8 THEN forwarding_on ELSE NULL END,
            forwarding_changed_at = CASE WHEN email = ?8 OR forwarding_changed_at > ?6 THEN forwarding_changed_at
                ELSE ?6 END
        \(ofProvenIdentity)
        """
    fileprivate static let factsOfIdentity: Self = "SELECT \(identityFacts) FROM identities WHERE id = ?1"
    fileprivate static let findEndedAccess: Self = """
        SELECT id FROM identities WHERE id = ?1 AND removed_at IS NULL AND access_ended_at IS NOT NULL
        """
    fileprivate static let insertAccount: Self = """
        INSERT INTO accounts (id, revision, created_at, \(nameColumns)) VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """
    fileprivate static let insertIdentity: Self = """
        INSERT INTO identities (id, account_id, provider, team, subject, email, email_verified, is_private_email,
            real_user_status, created_at, last_sign_in_at, org_id, last_authorized_at, forwarding_on,
            forwarding_changed_at, email_form)
        VALUES (?1, ?2, ?14, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11, ?12, ?13, ?15)
        ON CONFLICT (provider, team, subject) DO NOTHING
        """
    fileprivate static let removeUnusedAccount: Self = "DELETE FROM accounts WHERE id = ?1"
}
