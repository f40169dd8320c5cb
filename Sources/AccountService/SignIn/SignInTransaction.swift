import AccountDatabase
package import AppleIDTypes

/// Everything that a successful sign-in writes, in one transaction: ``AccountTransactions/signIn(_:)``.
///
/// Identifiers and times are values, so that a transaction which runs again writes the same.
package struct SignInRecord: Sendable {
    /// The person, as the provider describes them.
    package struct Person: Hashable, Sendable {
        /// The provider. It is the key of the identity together with ``team`` and ``subject``.
        package var provider = IdentityProvider.apple
        package var team: TeamID
        package var subject: Subject
        /// Nil leaves the stored address as it is, unless ``forgetsAddress``.
        package var email: String?
        /// Whether the stored address goes if ``email`` is nil. Another provider than Apple tells the address each time,
        /// so no address in its token means that it vouches for none now.
        package var forgetsAddress = false
        package var emailVerified: Bool
        package var isPrivateEmail: Bool
        package var realUserStatus: RealUserStatus?
        /// `org_id` of a managed account; nil leaves the stored one.
        package var organizationID: String?
        /// When Apple issued the identity token; nil is taken for the record's time.
        package var authorizedAt: Timestamp?
        /// `transfer_sub` of the identity token: Apple writes it for sixty days after the app moved to this team. It leads
        /// to the person's account, if that was not moved yet. A person whom it leads nowhere gets no new account where
        /// they most likely have one, unless ``isAdmittedAfterTransfer``. See ``AccountTransactions/transferRefusal(of:)``.
        package var transferSubject: Subject?
        /// Whether the person gets a new account where ``transferSubject`` leads to none.
        package var isAdmittedAfterTransfer = false
        /// Whether the settings name a team that had the app before, whose people may still be on their way.
        package var hasFormerTeam = false

        package init(
            team: TeamID, subject: Subject, email: String?, emailVerified: Bool, isPrivateEmail: Bool,
            realUserStatus: RealUserStatus?, organizationID: String? = nil, authorizedAt: Timestamp? = nil
        ) {
            self.team = team
            self.subject = subject
            self.email = email
            self.emailVerified = emailVerified
            self.isPrivateEmail = isPrivateEmail
            self.realUserStatus = realUserStatus
            self.organizationID = organizationID
            self.authorizedAt = authorizedAt
        }
    }

    /// The session to open.
    package struct NewSession: Hashable, Sendable {
        package var id: SessionID
        package var kind: Session.Kind
        package var clientID: ClientID
        package var secretHash: TokenHash
        /// Hash of the value by which the browser is known while it signs in; nil for an app.
        package var browserHash: TokenHash?
        package var authenticatedAt: Timestamp
        package var expiresAt: Timestamp
        /// See ``Session/hasNonceProof``.
        package var hasNonceProof: Bool
        /// As its client calls it; nil when nobody has said.
        package var deviceName: DeviceName?

        package init(
            id: SessionID, kind: Session.Kind, clientID: ClientID, secretHash: TokenHash,
            browserHash: TokenHash? = nil, authenticatedAt: Timestamp, expiresAt: Timestamp,
            hasNonceProof: Bool = true
        ) {
            self.id = id
            self.kind = kind
            self.clientID = clientID
            self.secretHash = secretHash
            self.browserHash = browserHash
            self.authenticatedAt = authenticatedAt
            self.expiresAt = expiresAt
            self.hasNonceProof = hasNonceProof
        }
    }

    /// A code of ours that the transaction uses up in the place of Apple's, by its hash. See ``OwnCode`` for the code itself.
    package struct UsedOwnCode: Hashable, Sendable {
        package var authorization: AuthorizationID
        package var hash: TokenHash

        package init(authorization: AuthorizationID, hash: TokenHash) {
            self.authorization = authorization
            self.hash = hash
        }
    }

    package var at: Timestamp
    package var used: [UsedCredential]
    /// Nil if the credential has no code of ours. The transaction empties the code's authorization, whose contents are in
    /// this record.
    package var ownCode: UsedOwnCode?
    package var person: Person
    /// Used only when the person is new.
    package var newAccountID: AccountID
    /// Used only when the person is new.
    package var newIdentityID: IdentityID
    /// The name that came with this sign-in. Its parts replace stored ones; a part that is missing never does.
    package var name: PersonName?
    /// Opens a pending profile without any other I/O than a log line. Nil when it does not open.
    package var openPendingProfile: @Sendable (PendingProfile) -> OpenedProfile?
    package var appleToken: AppleToken?
    /// A code that could not be redeemed yet; for the outbox, which is told the identity.
    package var waitingCode: OutboxEntry?
    package var session: NewSession
    /// The session that the same browser had when the sign-in began: ended in the same transaction. So is a session
    /// that another tab of the browser has opened meanwhile, which is known by its ``NewSession/browserHash``.
    package var formerSession: SessionID?
    /// The caller whose request it was, for the audit.
    package var caller = Caller.unknown
    /// Nil where the service sends no mail.
    package var newDeviceMail: NewDeviceMail?
    /// Tells the person of a new account that another account has the address, too. Nil tells nobody.
    var twoAccountsMail: TwoAccountsMail?

    package init(
        at: Timestamp, used: [UsedCredential], ownCode: UsedOwnCode? = nil, person: Person, newAccountID: AccountID,
        newIdentityID: IdentityID,
        name: PersonName?, openPendingProfile: @escaping @Sendable (PendingProfile) -> OpenedProfile?,
        appleToken: AppleToken?,
        session: NewSession, formerSession: SessionID?
    ) {
        self.at = at
        self.used = used
        self.ownCode = ownCode
        self.person = person
        self.newAccountID = newAccountID
        self.newIdentityID = newIdentityID
        self.name = name
        self.openPendingProfile = openPendingProfile
        self.appleToken = appleToken
        self.session = session
        self.formerSession = formerSession
    }
}

/// The outcome of a ``SignInRecord``.
package struct SignInOutcome: Hashable, Sendable {
    package var account: Account
    package var session: Session
    package var isNewAccount: Bool
    /// The accounts whose sessions ended because this session took their place: the browser's, perhaps of another
    /// account.
    package var replaced: Set<AccountID>

    package init(account: Account, session: Session, isNewAccount: Bool, replaced: Set<AccountID> = []) {
        self.account = account
        self.session = session
        self.isNewAccount = isNewAccount
        self.replaced = replaced
    }
}

extension AccountTransactions {
    /// Signs a person in: writes account, identity and session, and uses the credential up. All of it, or nothing.
    ///
    /// The account is the one of the person's identity, or new. The sign-in grants access at Apple again that had ended, and
    /// withdraws revocations ordered before what the record proves. If the person's transfer becomes known while the
    /// transaction waits for their lock, it runs once more.
    /// - Returns: the account, the session, and the accounts of which other sessions have ended.
    /// - Throws: ``AccountError`` with one of these codes; then nothing is written.
    ///   - ``AccountError/Code/alreadyUsed``: a part of the credential was used before, and its note has not expired at the
    ///     record's time. The error's `used` says which kind. A code of ours that has expired counts as used.
    ///   - ``AccountError/Code/tokenTooOld``: access at Apple ended after all that the record brings.
    ///   - ``AccountError/Code/transferNotCompleted``: the person is new here, and most likely has an account under another
    ///     team. See ``transferRefusal(of:)``.
    ///   - ``AccountError/Code/accountDisabled``: the account has been disabled.
    package func signIn(_ record: SignInRecord) async throws -> SignInOutcome {
        let keys = record.keys
        return try await lockingPeople { try $0.signIn(record, keys) }
    }
}

extension SignInRecord {
    /// The keys of the person and the device, computed before the transaction begins.
    var keys: PersonKeys {
        PersonKeys(of: person, on: newDeviceMail.map { _ in SignInDevice(of: session) })
    }
}

extension SQLConnection {
    /// Signs a person in, as a part of what a transaction does. See ``AccountTransactions/signIn(_:)``.
    func signIn(_ record: SignInRecord, _ keys: PersonKeys) throws -> SignInOutcome {
        var transaction = SignInTransaction(record: record, keys: keys, connection: self)
        return try transaction.run()
    }

    /// Locks the person of a sign-in, and the same person at the team that sent the app, if they are to be moved.
    /// - Returns: the people who are locked.
    fileprivate func lock(personOf record: SignInRecord, _ keys: PersonKeys) throws -> [TokenHash] {
        guard let subject = record.person.transferSubject else {
            try lock(person: keys.hash)
            return [keys.hash]
        }
        let people = try [keys.hash] + (transfer(to: record.person.team, subject)?.formerPerson ?? [])
        try lock(people: people)
        return people
    }
}

/// The transaction of one sign-in, step by step.
private struct SignInTransaction {
    var record: SignInRecord
    let keys: PersonKeys
    let connection: any SQLConnection

    mutating func run() throws -> SignInOutcome {
        let locked = try connection.lock(personOf: record, keys)
        var snapshot = try markUsedAndLoadPerson()
        if snapshot.identity == nil, try connection.moveSignedInPerson(of: record, keys, locked: locked) {
            snapshot = try connection.loadPerson(of: keys)
        }
        if snapshot.hasPendingProfile { try fillFromPendingProfile() }
        var person = try connection.signInPerson(record, &snapshot, keys)
        try keepAppleToken(of: &person, hasOpenEntries: snapshot.hasOpenEntries)
        let actor = AuditActor.account(through: record.session.id, from: record.caller)
        let replaced = try connection.endReplacedSessions(
            record.formerSession, ofBrowser: record.session.browserHash,
            SessionEnding(at: record.at, reason: .replaced, by: actor), by: person.account.id)
        let session = session(of: person)
        try connection.insertSession(
            session, secretHash: record.session.secretHash, browserHash: record.session.browserHash)
        try connection.append(
            AuditEntry(
                .signedIn, at: record.at, by: actor, account: person.account.id, subject: session.id.rawValue,
                detail: person.isNew ? "new_account" : nil))
        try enqueueMails(to: person, about: session, snapshot)
        let revision = try appendSignedIn(
            of: person, in: session.id, hasOtherEvents: replaced.contains(person.account.id))
        if person.isNew, snapshot.hasHooks, let revision {
            try connection.tellHooks(
                AccountNotice(
                    .accountCreated, of: person.account.id, sequence: revision, at: record.at,
                    identityID: person.identity))
        }
        return SignInOutcome(
            account: person.account, session: session, isNewAccount: person.isNew, replaced: replaced)
    }

    /// Withdraws revocations that were ordered before the sign-in, and keeps the token that the credential has brought, or
    /// lets its code wait in the outbox. The account then says which of the two it has.
    private func keepAppleToken(of person: inout SignedInPerson, hasOpenEntries: Bool) throws {
        if hasOpenEntries {
            try connection.withdrawRevocations(
                of: keys.hash, for: person.identity, record.proof, newToken: record.appleToken, at: record.at)
        }
        if let token = record.appleToken {
            try connection.keepAppleToken(token, of: person.identity)
        }
        if var code = record.waitingCode {
            code.identityID = person.identity
            try connection.insertOutbox(code)
        }
        if record.appleToken != nil {
            person.account.appleToken = .held
        } else if hasOpenEntries || record.waitingCode != nil {
            person.account.appleToken = try connection.appleTokenStatus(of: person.identity)
        }
    }

    /// The session of this sign-in.
    private func session(of person: SignedInPerson) -> Session {
        Session(
            id: record.session.id, accountID: person.account.id, identityID: person.identity,
            kind: record.session.kind, clientID: record.session.clientID, createdAt: record.at,
            authenticatedAt: record.session.authenticatedAt, lastUsedAt: record.at,
            expiresAt: record.session.expiresAt, hasNonceProof: record.session.hasNonceProof,
            deviceName: record.session.deviceName)
    }

    /// Writes the mails about this sign-in, if the service sends mail: about another account with the address of a new one,
    /// or about a new device.
    private func enqueueMails(to person: SignedInPerson, about session: Session, _ snapshot: PersonSnapshot) throws {
        if person.isNew {
            try connection.tellOfTwoAccounts(record.twoAccountsMail, record.person, of: person.account.id)
        } else if let mail = record.newDeviceMail, !snapshot.knowsDevice {
            try connection.enqueue(
                mail, about: session, of: person.account, hasOtherIdentities: snapshot.hasOtherIdentities,
                from: record.caller)
        }
    }

    /// Writes the event of this sign-in.
    /// - Parameter hasOtherEvents: whether this transaction may have written an event of the account before.
    /// - Returns: the event's number.
    private func appendSignedIn(
        of person: SignedInPerson, in session: SessionID, hasOtherEvents: Bool
    ) throws -> Int64? {
        guard hasOtherEvents else {
            try connection.appendFirstEvent(
                .signedIn, of: person.account.id, at: record.at, about: session.rawValue, revision: person.revision)
            return person.revision
        }
        return try connection.appendEvent(.signedIn, of: person.account.id, at: record.at, about: session.rawValue)
    }

    /// Notes that the credential is used, and finds its person.
    private func markUsedAndLoadPerson() throws -> PersonSnapshot {
        guard let code = record.ownCode else {
            return try connection.markUsedAndLoad(record.used, at: record.at, person: keys)
        }
        try connection.markUsed(record.used, at: record.at)
        try connection.markOwnCodeUsed(code, at: record.at)
        return try connection.loadPerson(of: keys)
    }

    /// Fills what the record lacks from the person's pending profile, which is used up.
    private mutating func fillFromPendingProfile() throws {
        let profile = try connection.takePendingProfile(
            of: record.person, at: record.at, open: record.openPendingProfile)
        record.name = record.name ?? profile?.name
        if record.person.email == nil, let address = profile?.address {
            record.person.email = address.email
            record.person.emailVerified = address.isVerified
            record.person.isPrivateEmail = address.isPrivate
        }
    }
}

extension SQLConnection {
    /// Uses up a person's pending profile, unless it does not open: Apple will not give it again, and a key ring can be
    /// mended.
    /// - Returns: nil where there is none, it is too old, or it does not open.
    func takePendingProfile(
        of person: SignInRecord.Person, at moment: Timestamp, open: (PendingProfile) -> OpenedProfile?
    ) throws -> OpenedProfile? {
        let (team, subject) = (person.team, person.subject)
        guard let pending = try pendingProfile(team: team, subject: subject) else { return nil }
        let isOver = pending.expiresAt <= moment
        let profile = isOver ? nil : open(pending)
        if isOver || profile != nil { try removePendingProfile(team: team, subject: subject) }
        return profile
    }
}
