import AccountDatabase
import AppleIDTypes

extension AccountTransactions {
    /// The consents of an account, newest first; see ``Consents/list(of:)``.
    package func consents(of account: AccountID) async throws -> [Consent] {
        try await read { try $0.consents(of: account) }
    }

    /// The consent that an account lacks for some purposes; nil where it lacks none, or needs none.
    package func missingConsent(
        of account: AccountID, to purposes: [Consent.Purpose], currentText: String
    ) async throws -> Consent.Requirement? {
        try await read { try $0.missingConsent(of: account, to: purposes, currentText: currentText) }
    }

    /// Withdraws a consent of the session's account, and removes what it allowed. A consent to contact data goes with
    /// every other consent to the same data. A consent to a linked identity goes alone. An identity that joined the
    /// account by the consent goes with it. A contact address that counted gets a mail about its removal.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/sessionEnded`` unless the session lives,
    /// ``AccountError/Code/consentUnknown`` unless the consent is the account's and holds, and
    /// ``AccountError/Code/requiresRecentLogin`` where an identity goes and the sign-in is not recent.
    func withdrawConsent(
        _ id: ConsentID, _ step: ContactStep, _ removal: WayInRemoval, in session: SessionID
    ) async throws -> ConsentWithdrawal {
        try await lockingPeople { connection in
            let people = try connection.peopleJoined(by: id, inAccountOf: session)
            try connection.lock(people: Array(people.values))
            let stored = try connection.lockedSession(session, at: step.at)
            // An identity may have moved to another team while this transaction waited.
            guard try connection.peopleJoined(by: id, inAccountOf: session) == people else { throw PersonNotLocked() }
            let account = stored.account
            let purpose = try connection.first(.findConsent, [.id(id), .id(account.id)]) {
                try $0.word(Consent.Purpose.self)
            }
            guard let purpose else {
                throw AccountError(.consentUnknown, "this account has no consent with this id, or it was withdrawn")
            }
            var withdrawal = ConsentWithdrawal(
                account: account, unlinked: [], kept: [], endsSession: false, needsManualRemoval: false)
            if purpose == .linkedIdentity {
                try connection.withdraw(id, to: purpose, of: account.id, at: step.at, by: step.actor)
            } else {
                try connection.withdrawConsents(to: purpose, of: account.id, since: nil, at: step.at, by: step.actor)
            }
            try connection.part(&withdrawal, from: id, stored.session, people, removal)
            switch purpose {
            case .contactEmail: try connection.forgetContact(of: account, step)
            case .phone: try connection.setPhone(nil, of: account, at: step.at, by: step.actor)
            default: break
            }
            connection.eraseRemoved()
            withdrawal.account = try connection.account(of: session)
            return withdrawal
        }
    }
}

extension SQLConnection {
    func consents(of account: AccountID) throws -> [Consent] {
        try query(.consentsOfAccount, [.id(account), .int64(Int64(Consents.maximumListLength))]) { columns in
            try Consent(
                id: columns.word(), purpose: columns.word(), textVersion: columns.text(), givenAt: columns.time(),
                sessionID: columns.word(), clientID: columns.word(),
                caller: Caller(
                    address: columns.optionalText(),
                    device: columns.optionalText().map(DeviceName.init(rawValue:))),
                withdrawnAt: columns.optionalTime())
        }
    }

    /// The consent that an account lacks for some purposes. None is needed unless an Apple address of the account is
    /// hidden, or unknown.
    func missingConsent(
        of account: AccountID, to purposes: [Consent.Purpose], currentText: String
    ) throws -> Consent.Requirement? {
        guard !purposes.isEmpty, try hidesAddress(account) else { return nil }
        let given = try purposesAgreed(of: account, toText: currentText)
        let missing = purposes.filter { !given.contains($0) }
        return missing.isEmpty ? nil : Consent.Requirement(purposes: missing, textVersion: currentText)
    }

    /// The purposes to which the person has agreed by a consent to a text that holds.
    func purposesAgreed(of account: AccountID, toText version: String) throws -> [Consent.Purpose] {
        try query(.purposesOfText, [.id(account), .text(version)]) { try $0.word() }
    }

    /// How many consents an account has given, those that were withdrawn too.
    func consentCount(of account: AccountID) throws -> Int64 {
        try first(.countConsents, [.id(account)]) { try $0.int64() } ?? 0
    }

    /// Requires the person's consent to some purposes, if there are any.
    ///
    /// Throws ``AccountError/Code/consentRequired`` unless the consent is to the current text, and
    /// ``AccountError/Code/rateLimited`` where such a consent was withdrawn too often.
    func requireConsent(
        _ given: ConsentGiven?, to purposes: [Consent.Purpose], of account: AccountID, currentText: String,
        at moment: Timestamp
    ) throws {
        guard purposes.isEmpty || given?.textVersion == currentText else {
            throw AccountError(lacking: Consent.Requirement(purposes: purposes, textVersion: currentText))
        }
        for purpose in purposes { try requireConsentAllowed(of: account, to: purpose, at: moment) }
    }

    /// Refuses another consent to a purpose where many were given and withdrawn lately, because each stays until the
    /// account is deleted.
    func requireConsentAllowed(of account: AccountID, to purpose: Consent.Purpose, at moment: Timestamp) throws {
        let lately = try first(.countWithdrawn, [.id(account), .text(purpose), .time(moment - .days(1))]) {
            try $0.int64()
        }
        guard lately ?? 0 < Int64(Consents.withdrawalsPerDay) else {
            throw AccountError(
                .rateLimited, "a consent to this was withdrawn too often today", retryAfter: .hours(1))
        }
    }

    /// Whether an Apple address of the account is hidden, or unknown.
    private func hidesAddress(_ account: AccountID) throws -> Bool {
        try identities(of: account).contains(where: \.hidesAddress)
    }

    /// Whether an account needs a consent to a purpose, and its person has agreed to no text.
    func lacksConsent(of account: AccountID, to purpose: Consent.Purpose) throws -> Bool {
        try hidesAddress(account) && !returnsRow(.anyConsent, [.id(account), .text(purpose)])
    }

    /// Records a consent, for a transaction that has raised the account's revision.
    func give(_ consent: Consent, of account: AccountID) throws {
        try execute(
            .insertConsent,
            [
                .id(consent.id), .id(account), .text(consent.purpose), .text(consent.textVersion),
                .time(consent.givenAt), .id(consent.sessionID), .text(consent.clientID),
                .text(orNull: consent.caller.address), .text(orNull: consent.caller.device?.rawValue),
            ])
        try append(
            AuditEntry(
                .consentGiven, at: consent.givenAt, by: .account(through: consent.sessionID, from: consent.caller),
                account: account, subject: consent.id.rawValue, detail: consent.purpose.rawValue))
        try appendEvent(
            .consentGiven, of: account, at: consent.givenAt, about: consent.id.rawValue,
            reason: consent.purpose.rawValue)
    }

    /// Withdraws the consents to a purpose that hold, for a transaction that has raised the account's revision.
    /// - Parameter since: only those that were given then or later; nil for all.
    func withdrawConsents(
        to purpose: Consent.Purpose, of account: AccountID, since: Timestamp?, at moment: Timestamp,
        by actor: AuditActor
    ) throws {
        let since = since ?? Timestamp(microseconds: .min)
        let ids = try query(.withdrawConsents, [.id(account), .text(purpose), .time(since), .time(moment)]) {
            try $0.word(ConsentID.self)
        }
        for id in ids.sorted(by: { $0.rawValue < $1.rawValue }) {
            try note(withdrawn: id, to: purpose, of: account, at: moment, by: actor)
        }
    }

    /// Withdraws one consent that holds, for a transaction like that of ``withdrawConsents(to:of:since:at:by:)``.
    /// - Parameter isReplaced: whether another consent takes its place, so that nothing goes with it. Then the audit
    ///   alone tells of it.
    func withdraw(
        _ id: ConsentID, to purpose: Consent.Purpose, of account: AccountID, at moment: Timestamp, by actor: AuditActor,
        isReplaced: Bool = false
    ) throws {
        guard try execute(.withdrawConsent, [.id(id), .id(account), .time(moment)]) > 0 else { return }
        try note(withdrawn: id, to: purpose, of: account, at: moment, by: actor, isReplaced: isReplaced)
    }

    private func note(
        withdrawn id: ConsentID, to purpose: Consent.Purpose, of account: AccountID, at moment: Timestamp,
        by actor: AuditActor, isReplaced: Bool = false
    ) throws {
        try audit(withdrawn: id, to: purpose, of: account, at: moment, by: actor)
        guard !isReplaced else { return }
        try appendEvent(.consentWithdrawn, of: account, at: moment, about: id.rawValue, reason: purpose.rawValue)
    }

    /// Writes that a consent was withdrawn into the audit.
    func audit(
        withdrawn id: ConsentID, to purpose: Consent.Purpose, of account: AccountID, at moment: Timestamp,
        by actor: AuditActor
    ) throws {
        try append(
            AuditEntry(
                .consentWithdrawn, at: moment, by: actor, account: account, subject: id.rawValue,
                detail: purpose.rawValue))
    }
}

extension SQLStatement {
    fileprivate static let consentsOfAccount: Self = """
        SELECT id, purpose, text_version, given_at, session_id, client_id, address, device, withdrawn_at
        FROM consents WHERE account_id = ?1 AND (withdrawn_at IS NULL OR id IN
            (SELECT id FROM consents WHERE account_id = ?1 AND withdrawn_at IS NOT NULL ORDER BY id DESC LIMIT ?2))
        ORDER BY id DESC
        """
    fileprivate static let countConsents: Self = "SELECT count(*) FROM consents WHERE account_id = ?1"
    /// A withdrawal by a merge doesn't count: another consent took the place of the withdrawn one, or its identity was lost.
    fileprivate static let countWithdrawn: Self = """
        SELECT count(*) FROM consents c WHERE c.account_id = ?1 AND c.purpose = ?2 AND c.withdrawn_at > ?3
            AND NOT EXISTS (
                SELECT m.from_id FROM merged_accounts m WHERE m.into_id = c.account_id AND m.merged_at = c.withdrawn_at)
        """
    fileprivate static let findConsent: Self = """
        SELECT purpose FROM consents WHERE id = ?1 AND account_id = ?2 AND withdrawn_at IS NULL
        """
    fileprivate static let purposesOfText: Self = """
        SELECT purpose FROM consents WHERE account_id = ?1 AND text_version = ?2 AND withdrawn_at IS NULL
        """
    fileprivate static let anyConsent: Self = """
        SELECT id FROM consents WHERE account_id = ?1 AND purpose = ?2 AND withdrawn_at IS NULL
        """
    fileprivate static let insertConsent: Self = """
        INSERT INTO consents (id, account_id, purpose, text_version, given_at, session_id, client_id, address, device)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """
    fileprivate static let withdrawConsents: Self = """
        UPDATE consents SET withdrawn_at = ?4
        WHERE account_id = ?1 AND purpose = ?2 AND given_at >= ?3 AND withdrawn_at IS NULL
        RETURNING id
        """
    fileprivate static let withdrawConsent: Self = """
        UPDATE consents SET withdrawn_at = ?3 WHERE id = ?1 AND account_id = ?2 AND withdrawn_at IS NULL
        """
}
