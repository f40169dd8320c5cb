import AccountService
import AppleIDTypes

/// What there is of a person who signs in. For most that is an identity, or nothing; what else one statement has found
/// is then looked at by others.
struct PersonTraces {
    struct Identity {
        var id: IdentityID
        var account: AccountID
        /// Of this identity. Codes that wait for it are among the person's orders.
        var holdsAppleToken: Bool
        var stored: StoredAccount
        var facts: IdentityFacts
    }

    var identity: Identity?
    /// Kept before Apple was asked, expired or not.
    var hasKeptName: Bool
    /// Something of Apple's is to be revoked or redeemed for them.
    var hasOrders: Bool
    /// Apple has said something of them.
    var hasNotifications: Bool
    /// Whether anybody is to be told of new accounts, whosever they are.
    var hasHooks: Bool
}

/// By what the tables know a person. Made before a transaction begins: others wait behind it.
struct PersonKeys {
    let team: TeamID
    let subject: Subject
    /// In the outbox, and for the lock.
    let hash: TokenHash
    /// In notifications about somebody who has no account.
    let hashedSubject: String

    init(of person: SignInRecord.Person) {
        team = person.team
        subject = person.subject
        hash = OutboxEntry.personHash(team: team, subject: subject)
        hashedSubject = AppleNotification.hashedSubject(hash)
    }
}

extension SQLConnection {
    /// For a transaction that has locked the person.
    func findTraces(of person: PersonKeys) throws -> PersonTraces {
        let found = try first(
            .traces,
            [.text(person.team), .text(person.subject), .hash(person.hash), .text(person.hashedSubject)]
        ) { columns in
            var traces = try PersonTraces(
                hasKeptName: columns.flag(), hasOrders: columns.flag(), hasNotifications: columns.flag(),
                hasHooks: columns.flag())
            let identity = try columns.optionalText().map(IdentityID.init(rawValue:))
            let account = try columns.optionalText().map(AccountID.init(rawValue:))
            if let identity, let account {
                traces.identity = try PersonTraces.Identity(
                    id: identity, account: account, holdsAppleToken: columns.flag(),
                    stored: StoredAccount(&columns), facts: IdentityFacts(&columns))
            }
            return traces
        }
        guard let found else { throw SQLRowError(column: 0, expected: "one row") }
        return found
    }
}

extension SQLStatement {
    fileprivate static let traces: Self = """
        SELECT EXISTS (SELECT k.team FROM kept_names k WHERE k.team = ?1 AND k.subject = ?2),
            EXISTS (SELECT o.id FROM outbox o WHERE o.person_hash = ?3 AND o.finished_at IS NULL),
            EXISTS (SELECT n.id FROM apple_notifications n WHERE n.subject = ?2 AND n.team = ?1)
                OR EXISTS (SELECT n.id FROM apple_notifications n WHERE n.subject = ?4 AND n.team = ?1),
            EXISTS (SELECT h.name FROM hooks h WHERE h.name <> ''),
            i.id, accounts.id, EXISTS (SELECT t.id FROM apple_tokens t WHERE t.identity_id = i.id),
            \(storedAccount), \(identityFacts)
        FROM (SELECT 1 AS number) AS one
            LEFT JOIN identities i ON i.provider = 'apple' AND i.team = ?1 AND i.subject = ?2
            LEFT JOIN accounts ON accounts.id = i.account_id
        """
}
