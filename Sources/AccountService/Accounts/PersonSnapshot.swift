import AccountDatabase
import AppleIDTypes

/// The stored facts about a person who signs in, found by one statement. The flags say which further statements are
/// needed; for most people none is.
struct PersonSnapshot {
    struct Identity {
        var id: IdentityID
        var account: AccountID
        /// Whether a refresh token of Apple's is held for this identity. A waiting code counts in
        /// ``PersonSnapshot/hasOpenEntries``.
        var holdsAppleToken: Bool
        var stored: StoredAccount
        var facts: IdentityFacts
    }

    var identity: Identity?
    /// Whether a name was kept before Apple was asked, expired or not.
    var hasPendingProfile: Bool
    /// Whether the outbox has an open entry for the person: something to revoke, or a code to redeem.
    var hasOpenEntries: Bool
    /// Whether Apple has sent a notification about the person.
    var hasNotifications: Bool
    /// Whether any hook hears of new accounts.
    var hasHooks: Bool
    /// Whether one of the account's newest 300 sessions, live or ended, was opened on the same device, and the person has not
    /// disowned it since. True if the keys have no device, because the service sends no mail.
    var knowsDevice: Bool
    /// Whether the account has further identities. False if the keys have no device.
    var hasOtherIdentities: Bool
}

/// The keys that identify a person in the tables. They are computed before the transaction begins, to keep it short.
struct PersonKeys {
    let provider: IdentityProvider
    let team: TeamID
    let subject: Subject
    /// In the outbox, and for the lock.
    let hash: TokenHash
    /// In notifications about somebody who has no account.
    let hashedSubject: String
    /// The device to look for among those of the account's sessions; nil where nobody asks.
    let device: SignInDevice?

    init(of person: SignInRecord.Person, on device: SignInDevice? = nil) {
        self.device = device
        provider = person.provider
        team = person.team
        subject = person.subject
        hash = person.personHash
        hashedSubject = AppleNotification.hashedSubject(hash)
    }
}

/// The device of a sign-in, as far as anybody can tell: sessions of one account with these three values are on one device.
struct SignInDevice {
    let kind: Session.Kind
    let client: ClientID
    let name: DeviceName?

    init(of session: SignInRecord.NewSession) {
        kind = session.kind
        client = session.clientID
        name = session.deviceName
    }
}

extension SQLConnection {
    /// For a transaction that has locked the person.
    func loadPerson(of person: PersonKeys) throws -> PersonSnapshot {
        try loadPerson(of: person) { _ = try run([$0]) }
    }

    /// Notes that things are used, as ``markUsed(_:at:reading:)`` does, and finds the person in the same round trip.
    func markUsedAndLoad(
        _ things: [UsedCredential], at moment: Timestamp, person: PersonKeys
    ) throws -> PersonSnapshot {
        try loadPerson(of: person) { try markUsed(things, at: moment, reading: [$0]) }
    }

    /// - Parameter run: runs the statement that finds the person, alone or behind others.
    private func loadPerson(of person: PersonKeys, run: (SQLStep) throws -> Void) throws -> PersonSnapshot {
        var found: PersonSnapshot?
        var values: [SQLValue] = try [
            .text(person.team), .text(person.subject), .hash(person.hash), .text(person.hashedSubject),
            .text(person.provider),
        ]
        if let device = person.device {
            values += try [.text(device.kind), .text(device.client), .text(device.name?.rawValue ?? "")]
        }
        let step = SQLStep(person.device == nil ? .snapshot : .snapshotWithDevice, values) { columns in
            var snapshot = try PersonSnapshot(
                hasPendingProfile: columns.flag(), hasOpenEntries: columns.flag(), hasNotifications: columns.flag(),
                hasHooks: columns.flag(), knowsDevice: columns.flag(), hasOtherIdentities: columns.flag())
            let identity = try columns.optionalText().map(IdentityID.init(rawValue:))
            let account = try columns.optionalText().map(AccountID.init(rawValue:))
            if let identity, let account {
                snapshot.identity = try PersonSnapshot.Identity(
                    id: identity, account: account, holdsAppleToken: columns.flag(),
                    stored: StoredAccount(&columns), facts: IdentityFacts(&columns))
            }
            found = snapshot
        }
        try run(step)
        guard let found else { throw SQLRowError(column: 0, expected: "one row") }
        return found
    }
}

extension SQLStatement {
    fileprivate static let snapshot = snapshot(knowsDevice: "TRUE", hasOtherIdentities: "FALSE")
    /// Names are never empty. If the person has said that the device is not theirs, older sessions don't make it known.
    ///
    /// Nothing limits how many sessions an account opens in thirty days, so only the newest are read. A device that isn't
    /// among them counts as new, and the person gets a mail that isn't needed.
    fileprivate static let snapshotWithDevice = snapshot(
        knowsDevice: """
            coalesce((
                SELECT max(CASE WHEN \(isDisowned) THEN 0 ELSE s.created_at END)
                    > max(CASE WHEN \(isDisowned) THEN s.created_at ELSE 0 END)
                FROM (SELECT n.kind, n.client_id, n.device_name, n.created_at, n.end_reason FROM sessions n
                    WHERE n.account_id = i.account_id ORDER BY n.id DESC LIMIT 300) s
                WHERE s.kind = ?6 AND s.client_id = ?7 AND coalesce(s.device_name, '') = ?8), FALSE)
            """,
        hasOtherIdentities: """
            EXISTS (SELECT o.id FROM identities o
                WHERE o.account_id = i.account_id AND o.id <> i.id AND o.removed_at IS NULL)
            """)
    /// Whether somebody has disowned the session `s`: its person said that it was not theirs, or took back a change of the
    /// contact address that somebody in this session may have made.
    static let isDisowned: Self = "coalesce(s.end_reason, '') IN ('not_me', 'contact_email_taken_back')"

    private static func snapshot(knowsDevice: Self, hasOtherIdentities: Self) -> Self {
        """
        SELECT EXISTS (SELECT k.team FROM kept_names k WHERE k.team = ?1 AND k.subject = ?2),
            EXISTS (SELECT o.id FROM outbox o WHERE o.person_hash = ?3 AND o.finished_at IS NULL),
            EXISTS (SELECT n.id FROM apple_notifications n WHERE n.subject = ?2 AND n.team = ?1)
                OR EXISTS (SELECT n.id FROM apple_notifications n WHERE n.subject = ?4 AND n.team = ?1),
            EXISTS (SELECT h.name FROM hooks h WHERE h.name <> ''), \(knowsDevice), \(hasOtherIdentities),
            i.id, accounts.id, EXISTS (SELECT t.id FROM apple_tokens t WHERE t.identity_id = i.id),
            \(storedAccount), \(identityFacts)
        FROM (SELECT 1 AS number) AS one
            LEFT JOIN identities i ON i.provider = ?5 AND i.team = ?1 AND i.subject = ?2
            LEFT JOIN accounts ON accounts.id = i.account_id
        """
    }
}

/// The facts about a person in an identity's row.
struct IdentityFacts {
    var email: String?
    var isVerified: Bool
    var isPrivate: Bool
    var access: AppleAccess
    var isApple: Bool

    /// Reads the columns of ``SQLStatement/identityFacts``.
    init(_ columns: inout SQLColumns) throws {
        email = try columns.optionalText()
        isVerified = try columns.flag()
        isPrivate = try columns.flag()
        access = AppleAccess()
        access.realUserStatus = try columns.optionalInt64().map { RealUserStatus(rawValue: Int($0)) }
        access.organizationID = try columns.optionalText()
        access.forwardsEmail = try columns.optionalFlag()
        access.lastAuthorizedAt = try columns.optionalTime()
        let endedAt = try columns.optionalTime()
        let reason = try columns.optionalText().map(SessionEndReason.init(rawValue:))
        if let endedAt, let reason {
            access.ended = AppleAccess.End(at: endedAt, reason: reason)
        }
        isApple = try columns.word(IdentityProvider.self) == .apple
    }

    /// Whether the stored address is the one that a credential brings, with the same marks.
    func haveAddress(of person: SignInRecord.Person) -> Bool {
        guard let other = person.email, hasEmail(other) else { return false }
        return (isVerified, isPrivate) == (person.emailVerified, person.isPrivateEmail)
    }

    /// Whether the stored address has the same bytes. The database compares addresses by their bytes, so it takes two
    /// spellings of one character for two addresses.
    private func hasEmail(_ other: String) -> Bool {
        email.map { $0.utf8.elementsEqual(other.utf8) } ?? false
    }

    /// These facts once ``SQLConnection/noteAuthorization(_:of:_:_:at:)`` has written what a credential says.
    func authorized(_ person: SignInRecord.Person, _ proof: AppleProof) -> Self {
        var facts = self
        if person.email != nil || person.forgetsAddress {
            let email = person.email
            if email.map({ !hasEmail($0) }) ?? true { facts.access.forwardsEmail = nil }
            facts.email = email
            facts.isVerified = person.emailVerified
            facts.isPrivate = person.isPrivateEmail
        }
        facts.access.realUserStatus = person.realUserStatus ?? access.realUserStatus
        facts.access.organizationID = person.organizationID ?? access.organizationID
        facts.access.ended = nil
        guard person.provider == .apple else { return facts }
        facts.access.lastAuthorizedAt = max(proof.authorizedAt, access.lastAuthorizedAt ?? proof.authorizedAt)
        return facts
    }
}

extension SQLStatement {
    /// The columns of identities that ``IdentityFacts`` takes; no other table has any of these names.
    static let identityFacts: Self = """
        email, email_verified, is_private_email, real_user_status, org_id, forwarding_on, last_authorized_at,
        access_ended_at, access_end_reason, provider
        """
}

/// The part of an account's row that a sign-in needs.
struct StoredAccount {
    var revision: Int64
    var isDisabled: Bool
    var createdAt: Timestamp
    var name: PersonName?
    var contact: ContactFacts

    /// Reads the columns of ``SQLStatement/storedAccount``.
    init(_ columns: inout SQLColumns) throws {
        revision = try columns.int64()
        isDisabled = try columns.optionalTime() != nil
        createdAt = try columns.time()
        name = try columns.name()
        contact = try ContactFacts(&columns)
    }
}

extension SQLStatement {
    /// The columns of accounts that ``StoredAccount`` takes, in a statement that calls the table `accounts`.
    static let storedAccount: Self = """
        revision, disabled_at, accounts.created_at, \(nameColumns), \(contactColumns)
        """
}
