import AccountDatabase
import AppleIDTypes

/// All that the link of an address writes, decided beforehand.
struct EmailLinkingRecord: Sendable {
    var at: Timestamp
    var link: EmailLinkID
    /// The live session that asked for the link. Its account gets the identity.
    var session: SessionID
    var person: SignInRecord.Person
    var form: EmailForm
    var identity: IdentityID
    /// The hash of the password, sealed for the identity.
    var sealedPassword: [UInt8]
    var consent: ConsentIntake
    var mailID: MailID
    var mail: MailWriter
    var twoAccountsMail: TwoAccountsMail?
    var caller: Caller
}

extension AccountTransactions {
    /// Whether an account can get an address to sign in with, as far as can be said before. The transaction decides.
    ///
    /// Throws ``AccountError/Code/alreadyLinked``, ``AccountError/Code/consentRequired``, and
    /// ``AccountError/Code/rateLimited`` where such a consent was withdrawn too often.
    func requireLinkable(
        _ person: SignInRecord.Person, in account: AccountID, _ consent: ConsentGiven?, currentText: String,
        at moment: Timestamp
    ) async throws {
        try await read { connection in
            guard try connection.emailIdentity(of: account) == nil else { throw AccountError.alreadyLinked }
            try connection.requireConsent(
                consent, joining: person, to: account, contact: connection.contactFacts(of: account),
                currentText: currentText, at: moment)
        }
    }

    /// Links an address with a password to the account of the session that asked for it.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/linkUnknown`` for a link that is used or too old, or whose address
    /// signs in to an account since, ``AccountError/Code/sessionEnded`` unless the session lives,
    /// ``AccountError/Code/alreadyLinked`` and ``AccountError/Code/consentRequired``.
    /// - Returns: the identities that open the account then.
    func finishLink(_ finish: EmailLinkingRecord) async throws -> [LinkedIdentity] {
        let (person, moment, forms) = (finish.person, finish.at, finish.mail.forms)
        let (formHashes, failures) = (forms.links(of: finish.form), forms.failures(of: finish.form))
        return try await write { connection in
            try connection.lock(person: person.personHash)
            try connection.useLink(finish.link, at: moment)
            let stored = try connection.lockedSession(finish.session, at: moment)
            let account = stored.account.id
            guard try connection.emailIdentity(of: account) == nil else { throw AccountError.alreadyLinked }
            let purposes = try connection.requireConsent(
                finish.consent.given, joining: person, to: account, contact: stored.account.contact,
                currentText: finish.consent.currentText, at: moment)
            let recipient = try connection.mailRecipient(of: account)
            let insertion = try connection.insertion(
                of: person, AppleProof(of: person, token: nil, at: moment), nil, as: finish.identity, of: account,
                at: moment)
            guard try connection.run([insertion]).last != 0 else { throw AccountError.linkUnknown }
            try connection.setPassword(of: finish.identity, sealed: finish.sealedPassword, at: moment)
            try connection.giveConsents(
                finish.consent, to: purposes, joining: finish.identity, in: stored.session, at: moment,
                from: finish.caller)
            try connection.note(
                linked: finish.identity, of: person, to: account, at: moment,
                by: .account(through: finish.session, from: finish.caller))
            // The account's address before the link hears of it: a thief may have linked an address of their own.
            try connection.enqueue(
                finish.mail.aboutWayIn(
                    .linked, id: finish.mailID, to: recipient, of: account, provider: person.provider.rawValue,
                    address: person.email, from: finish.caller, at: moment))
            try connection.note(
                .set, of: finish.identity, of: account, at: moment,
                by: .account(through: finish.session, from: finish.caller))
            try connection.tellOfTwoAccounts(finish.twoAccountsMail, person, of: account)
            try connection.removeLinks(of: formHashes)
            try connection.forgetFailures(failures)
            return try connection.linkedIdentities(of: account)
        }
    }
}
