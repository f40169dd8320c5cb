import AccountDatabase
import AppleIDTypes
import Foundation

/// The input of a merge transaction.
struct MergeRecord: Sendable {
    var at: Timestamp
    /// The live session that asks. Its account remains.
    var session: SessionID
    /// The handle of the conflict with the account that is merged.
    var handle: TokenHash
    /// The browser that presents the handle; nil for an app.
    var browser: TokenHash?
    /// The plan that the person has seen.
    var confirmation: MergeConfirmation
    var consent: ConsentIntake
    /// The ids of mails: one for each account's address, and one for an address that no longer signs in.
    var mailIDs: [MailID]
    var mail: MailWriter
    /// The mail with which the remaining account's address takes back a contact address that the merge brings.
    var contactMail: ContactMail
    var caller: Caller
}

extension AccountTransactions {
    /// The effect of a merge with the account of a conflict, as far as can be said before. The transaction decides.
    ///
    /// Throws ``AccountError/Code/handleInvalid`` and ``AccountError/Code/accountDisabled``.
    func mergePlan(
        _ handle: TokenHash, of session: SessionID, browser: TokenHash?, currentText: String, at moment: Timestamp
    ) async throws -> MergePlan {
        try await read { connection in
            let found = try connection.mergeCandidate(handle, of: session, browser: browser, at: moment)
            guard let found else { throw AccountError.conflictHandleInvalid }
            return try connection.mergePlan(found, currentText: currentText, at: moment)
        }
    }

    /// Merges the account of a conflict into the account of the session that has its handle. The handle is used then. The
    /// same call again tells that the accounts are merged.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/handleInvalid``, ``AccountError/Code/sessionEnded`` unless the
    /// session lives, ``AccountError/Code/accountDisabled``, ``AccountError/Code/mergeChanged`` if the person has seen another
    /// plan, and ``AccountError/Code/consentRequired``.
    func merge(_ record: MergeRecord) async throws -> MergedAccounts {
        try await lockingPeople { try MergeTransaction(record: record, connection: $0).run() }
    }
}

/// The transaction of one merge, step by step.
private struct MergeTransaction {
    let record: MergeRecord
    let connection: any SQLConnection

    private var at: Timestamp { record.at }
    private var actor: AuditActor { .account(through: record.session, from: record.caller) }

    func run() throws -> MergedAccounts {
        guard let (plan, session) = try lockedPlan() else { return try mergedBefore() }
        guard plan.confirmation == record.confirmation else {
            throw AccountError(.mergeChanged, "the accounts are not as they were when the person saw the plan")
        }
        try takeConsent(plan, in: session)
        try withdrawConsents(plan)
        let former = try connection.mailRecipient(of: plan.into)
        // The owner of a lost address may read no other mail of either account.
        let recipients =
            try [former, connection.mailRecipient(of: plan.from)].compactMap(\.self)
            + plan.losses.identities.compactMap(\.address).map { MailRecipient(typed: $0) }
        if let former { try noteContactChange(plan, tell: former) }
        try moveProfile(plan)
        for identity in plan.losses.identities {
            try connection.removeEmailIdentity(identity.id, forms: record.mail.forms, at: at)
            try connection.append(
                AuditEntry(
                    .identityUnlinked, at: at, by: actor, account: plan.from, subject: identity.id.rawValue,
                    detail: identity.provider))
            try connection.appendEvent(.unlinked, of: plan.from, at: at, about: identity.id.rawValue)
        }
        try connection.endSessions(of: plan.from, SessionEnding(at: at, reason: .merged, by: actor), tellsOfEach: false)
        try moveRows(plan)
        try tell(plan)
        try connection.execute(.removeMergedAccount, [.id(plan.from)])
        connection.eraseRemoved()
        for (id, recipient) in zip(record.mailIDs, recipients.withoutRepeats) {
            try write(to: recipient, plan, id)
        }
        return MergedAccounts(from: plan.from, account: try connection.account(of: record.session), mergedAt: at)
    }

    /// Locks the people and the accounts, and uses the handle.
    /// - Returns: nil if the handle is gone.
    private func lockedPlan() throws -> (MergePlan, Session)? {
        let candidate = try connection.mergeCandidate(
            record.handle, of: record.session, browser: record.browser, at: at)
        guard let found = candidate else { return nil }
        let people = try connection.people(of: found)
        try connection.lock(people: people)
        // A deletion of either account removes the handle, and holds its account before.
        try connection.lock(accounts: [found.from, found.into])
        guard try connection.useConflict(record.handle, of: record.session, at: at) else { return nil }
        // The account may have been merged the other way meanwhile.
        let stored = try connection.liveSession(record.session, at: at)
        // Another merge may have moved either side before the locks, and a link or a transfer may have given either account
        // another person.
        guard stored.account.id == found.into, try connection.isOpened(by: found.identity, found.from) else {
            throw AccountError.conflictHandleInvalid
        }
        guard try Set(connection.people(of: found)).isSubset(of: people) else { throw PersonNotLocked() }
        let plan = try connection.mergePlan(found, currentText: record.consent.currentText, at: at)
        return (plan, stored.session)
    }

    /// The outcome for a handle that is gone: the accounts may be merged, and the answer lost.
    private func mergedBefore() throws -> MergedAccounts {
        let stored = try connection.liveSession(record.session, at: at)
        guard let merged = try connection.merged(by: record.handle, into: stored.account.id) else {
            throw AccountError.conflictHandleInvalid
        }
        return MergedAccounts(from: merged.from, account: stored.account, mergedAt: merged.at)
    }

    private func takeConsent(_ plan: MergePlan, in session: Session) throws {
        guard let missing = plan.consent else { return }
        let consent = record.consent
        guard consent.given?.textVersion == consent.currentText else { throw AccountError(lacking: missing) }
        let caller = Caller(address: record.caller.address, device: session.deviceName ?? record.caller.device)
        for (id, purpose) in zip(consent.ids, missing.purposes) {
            try connection.requireConsentAllowed(of: plan.into, to: purpose, at: at)
            try connection.give(
                Consent(
                    id: id, purpose: purpose, textVersion: consent.currentText, givenAt: at, sessionID: session.id,
                    clientID: session.clientID, caller: caller), of: plan.into)
            if purpose == .linkedIdentity {
                for identity in plan.joining { try connection.note(id, joining: identity) }
            }
        }
    }

    private func withdrawConsents(_ plan: MergePlan) throws {
        for replaced in plan.replacedConsents {
            try connection.withdraw(
                replaced, to: .linkedIdentity, of: plan.from, at: at, by: actor, isReplaced: true)
        }
        for lost in plan.lostConsents {
            try connection.withdraw(lost, to: .linkedIdentity, of: plan.from, at: at, by: actor)
        }
    }

    /// Lets the address that has got the mails of the remaining account take back the contact address that the account
    /// gets, as after any other change. The same holds where the account gets only a link that can set one.
    private func noteContactChange(_ plan: MergePlan, tell former: MailRecipient) throws {
        let moves = plan.moves.profile
        guard record.contactMail.writer.isConfigured,
            moves.contains(.contactEmail) || moves.contains(.contactEmailChange)
        else { return }
        var order = at
        // The changes that come along are older. Their links must not end this one, which ends them.
        if moves.contains(.contactEmailChange), let first = try connection.contactChanges(of: plan.from).last {
            order = min(at, first.order - .microseconds(1))
        }
        try connection.noteContactChange(
            of: plan.into, to: connection.contactEmail(of: plan.from),
            ContactChangeOrigin(askedAt: at, session: record.session), madeIn: record.session, at: at, order: order,
            tell: former, record.contactMail)
    }

    private func moveProfile(_ plan: MergePlan) throws {
        for part in plan.moves.profile {
            switch part {
            case .name: try move(.name, by: .moveName, plan)
            case .contactEmail: try move(.contactEmail, by: .moveContact, plan)
            case .phone: try move(.phone, by: .movePhone, plan)
            case .contactEmailChange:
                try connection.execute(.moveContactChanges, [.id(plan.from), .id(plan.into)])
            default: break
            }
        }
    }

    private func move(_ member: ProfileMember, by statement: SQLStatement, _ plan: MergePlan) throws {
        try connection.execute(statement, [.id(plan.from), .id(plan.into)])
        try connection.appendProfileChange(member, of: plan.into, at: at, by: actor)
    }

    /// Forgets what is about to be asked or done in the merged account, and moves everything else.
    private func moveRows(_ plan: MergePlan) throws {
        for statement in SQLStatement.forgetOfMerged { try connection.execute(statement, [.id(plan.from)]) }
        if !plan.moves.profile.contains(.contactEmailChange) {
            try connection.execute(.withdrawTakeBackMails, [.id(plan.from)])
        }
        try connection.execute(.moveSessionsOfMerged, [.id(plan.from), .id(plan.into), .time(at)])
        try connection.execute(.moveIdentitiesOfMerged, [.id(plan.from), .id(plan.into), .time(at)])
        for statement in SQLStatement.moveOfMerged {
            try connection.execute(statement, [.id(plan.from), .id(plan.into)])
        }
        try connection.execute(
            .noteMerge, [.id(plan.from), .id(plan.into), .time(at), .hash(record.handle)])
    }

    /// The event of the merged account is its last one. Hooks hear of it once, after all that happened to that account.
    private func tell(_ plan: MergePlan) throws {
        let (from, into) = (plan.from, plan.into)
        let last = try connection.appendEvent(
            .accountMerged, of: from, at: at, about: into.rawValue, reason: AccountEvent.mergedInto)
        if let last {
            var notice = AccountNotice(.accountMerged, of: from, sequence: last, at: at)
            notice.mergedInto = into
            try connection.tellHooks(notice)
        }
        try connection.appendEvent(
            .accountMerged, of: into, at: at, about: from.rawValue, reason: AccountEvent.mergedFrom)
        try connection.append(AuditEntry(.accountMerged, at: at, by: actor, account: into, subject: from.rawValue))
        // It holds nothing personal, because no deletion would find it here.
        try connection.append(
            AuditEntry(.accountMerged, at: at, by: .service(), account: from, subject: into.rawValue))
    }

    private func write(to recipient: MailRecipient, _ plan: MergePlan, _ id: MailID) throws {
        var recipient = recipient
        recipient.languages = record.caller.languages
        var values = ["happenedAt": at.date.formatted(.iso8601)]
        values["link"] = record.mail.linkToWaysIn
        values["address"] = plan.losses.identities.first?.address
        try connection.enqueue(
            record.mail.mail(.merged, id: id, to: recipient, of: plan.into, values: values, at: at))
    }
}

extension [MailRecipient] {
    /// Both accounts may have one address, however it is spelled.
    fileprivate var withoutRepeats: Self {
        var addresses: Set<String> = []
        return filter { addresses.insert(EmailForm(of: $0.address)?.rawValue ?? $0.address).inserted }
    }
}
