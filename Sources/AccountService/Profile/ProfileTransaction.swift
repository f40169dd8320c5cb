import AccountDatabase
import AppleIDTypes

/// An update of a profile with all that its transaction needs, decided beforehand.
struct ProfileUpdateRecord: Sendable {
    var update: ProfileUpdate
    /// The time and the sender of the request, and the mail that an edit of the contact address may send.
    var step: ContactStep
    /// The live session that asks. Its account is changed.
    var session: SessionID
    /// Ten bytes for each consent that the update may give.
    var consentRandomness: [[UInt8]]

    var at: Timestamp { step.at }
}

/// A part of the profile, for events and the audit.
struct ProfileMember: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let name = Self(rawValue: "name")
    static let contactEmail = Self(rawValue: "contact_email")
    static let phone = Self(rawValue: "phone")
}

extension AccountTransactions {
    /// Applies an update of the session's account.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/sessionEnded`` unless the session lives,
    /// ``AccountError/Code/consentRequired`` and ``AccountError/Code/rateLimited``.
    /// - Returns: the account afterwards.
    func updateProfile(_ record: ProfileUpdateRecord) async throws -> Account {
        try await write { connection in
            try ProfileTransaction(record: record, connection: connection).run()
        }
    }
}

/// The transaction of one update of a profile, step by step.
private struct ProfileTransaction {
    let record: ProfileUpdateRecord
    let connection: any SQLConnection

    func run() throws -> Account {
        let stored = try connection.lockedSession(record.session, at: record.at)
        let account = stored.account
        try takeConsent(in: stored.session)
        switch record.update.name {
        case .unchanged: break
        case .remove: try setName(nil, of: account)
        case .set(let name): try setName(name, of: account)
        }
        switch record.update.phone {
        case .unchanged: break
        case .remove: try connection.setPhone(nil, of: account, at: record.at, by: record.step.actor)
        case .set(let phone):
            try connection.setPhone(phone.rawValue, of: account, at: record.at, by: record.step.actor)
        }
        switch record.update.contactEmail {
        case .unchanged: break
        case .remove: try connection.removeContact(of: account, record.step)
        case .set(let address): try setContact(address, of: account)
        }
        if record.update.removesSomething { connection.eraseRemoved() }
        return try connection.account(of: record.session)
    }

    /// Records the consents that the update needs and brings.
    private func takeConsent(in session: Session) throws {
        let missing = try connection.missingConsent(
            of: session.accountID, to: record.update.purposes, currentText: record.step.currentText)
        guard let missing else { return }
        guard record.update.consent?.textVersion == record.step.currentText else {
            throw AccountError(lacking: missing)
        }
        // An app names its device when it signs in, and not at each call.
        let caller = Caller(
            address: record.step.caller.address, device: session.deviceName ?? record.step.caller.device)
        for (purpose, randomness) in zip(missing.purposes, record.consentRandomness) {
            try connection.requireConsentAllowed(of: session.accountID, to: purpose, at: record.at)
            try connection.give(
                Consent(
                    id: ConsentID(at: record.at, randomness: randomness), purpose: purpose,
                    textVersion: record.step.currentText, givenAt: record.at, sessionID: session.id,
                    clientID: session.clientID, caller: caller), of: session.accountID)
        }
    }

    /// Writes the name as the person's own, also where it is the same as Apple's.
    private func setName(_ name: PersonName?, of account: Account) throws {
        try connection.execute(.setName, [.id(account.id)] + SQLValue.name(name) + [.time(record.at)])
        guard name != account.name else { return }
        try connection.appendProfileChange(.name, of: account.id, at: record.at, by: record.step.actor)
    }

    private func setContact(_ address: EmailAddress, of account: Account) throws {
        guard !address.isSpelled(account.contactEmail) else {
            return try connection.cancelPendingContact(of: account, at: record.at)
        }
        try connection.requestContact(address.rawValue, of: account, record.step)
    }

}

extension SQLConnection {
    /// The account of a session as this transaction has changed it.
    func account(of session: SessionID) throws -> Account {
        guard let row = try sessionRow(session) else {
            throw SQLRowError(column: 0, expected: "the session that was just locked")
        }
        return row.stored.account
    }

    /// Notes in the audit and in the account's events that a member of the profile has changed, for a transaction that
    /// has raised the account's revision.
    func appendProfileChange(
        _ member: ProfileMember, of account: AccountID, at moment: Timestamp, by actor: AuditActor
    ) throws {
        try append(
            AuditEntry(.profileChanged, at: moment, by: actor, account: account, detail: member.rawValue))
        try appendEvent(.profileChanged, of: account, at: moment, reason: member.rawValue)
    }

    /// - Parameter phone: nil removes the number.
    func setPhone(_ phone: String?, of account: Account, at moment: Timestamp, by actor: AuditActor) throws {
        guard phone != account.phone else { return }
        try execute(.setPhone, [.id(account.id), .text(orNull: phone)])
        try appendProfileChange(.phone, of: account.id, at: moment, by: actor)
    }
}

extension SQLStatement {
    fileprivate static let setName: Self = """
        UPDATE accounts SET given_name = ?2, family_name = ?3, middle_name = ?4, name_prefix = ?5, name_suffix = ?6,
            nickname = ?7, name_typed_at = ?8
        WHERE id = ?1
        """
    fileprivate static let setPhone: Self = "UPDATE accounts SET phone = ?2 WHERE id = ?1"
}
