import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTypes
import Testing

@testable import AccountService

/// Profiles and consents on a store, with the mails that they put into the queue.
final class ProfileSystem: Sendable {
    /// A mail of the queue, opened.
    struct OpenedMail: Sendable {
        let kind: Mail.Kind
        let recipient: String
        let values: [String: String]

        var linkSecret: LinkSecret? {
            values["link"]?.split(separator: "/").last.flatMap { LinkSecret(rawValue: String($0)) }
        }
    }

    static let caller = Caller(address: "192.0.2.1", device: DeviceName(cleaning: "Zoë's iPad"))

    let clock: Clock
    let store: AccountTransactions
    let keyRing: KeyRingInUse
    let mail: MailWriter
    let profiles: Profiles
    let consents: Consents
    /// Hears of changes under the name `backend`.
    let bell = EventBell()

    var now: Timestamp { Timestamp(clock.environment.now()) }

    /// - Parameter texts: a text of version `1` by default.
    init(texts: ConsentTexts? = nil, sendsMail: Bool = true, sharing other: ProfileSystem? = nil) async throws {
        let texts = try texts ?? ConsentTexts([ConsentTexts.Text(version: "1", language: "en", text: "Text.")])
        clock = other?.clock ?? Clock()
        if let other {
            store = other.store
        } else {
            store = try await Engine.current.store()
            try await store.noteHooks(["backend"], at: Timestamp(clock.environment.now()))
        }
        keyRing = KeyRingInUse(try KeyRing(parsing: KeyRingTests.one))
        mail = MailWriter(
            isConfigured: sendsMail, publicURL: try PublicURL("https://example.com"), keyRing: keyRing,
            environment: clock.environment)
        profiles = Profiles(store: store, texts: texts, bell: bell, mail: mail, environment: clock.environment)
        consents = Consents(
            texts: texts, store: store, ways: UsableWaysIn(takesPasswords: false, teams: ["TEAM000001"]),
            signal: OutboxSignal(), bell: bell, mail: mail, environment: clock.environment)
    }

    /// Signs a person in, with their own address or one that hides it.
    func signIn(
        _ subject: Subject = "001999.person", isHidden: Bool = false, email: String? = "johnny@example.com",
        name: PersonName? = nil
    ) async throws -> StoredSession {
        var person = SignInRecord.Person.sample(subject, email: email)
        person.isPrivateEmail = isHidden
        let session = SignInRecord.NewSession.sample(at: now, expiresAt: now + .days(100))
        _ = try await store.signIn(.sample(at: now, person, name: name, session: session))
        return try #require(await store.session(session.id))
    }

    /// Changes the profile, from a device.
    @discardableResult
    func update(_ update: ProfileUpdate, in session: StoredSession) async throws -> Account {
        try await profiles.update(update, in: session, from: Self.caller)
    }

    /// Asks for a contact address.
    /// - Returns: the secret of the link that the address got.
    @discardableResult
    func request(_ address: String, in session: StoredSession, consent: String? = nil) async throws -> LinkSecret {
        try await update(
            ProfileUpdate(
                contactEmail: .set(EmailAddress(address)), consent: consent.map { ConsentGiven(textVersion: $0) }),
            in: session)
        return try await linkSecret(of: .verifyAddress, to: address)
    }

    /// Asks for a contact address and opens the link that it got.
    @discardableResult
    func confirm(_ address: String, in session: StoredSession, consent: String? = nil) async throws -> Account {
        let secret = try await request(address, in: session, consent: consent)
        return try await profiles.confirmContact(secret, in: session, from: Self.caller)
    }

    /// The secret in the link of the last mail of a kind. Of mails of one moment none is the last one.
    /// - Parameter recipient: nil for anybody.
    func linkSecret(of kind: Mail.Kind, to recipient: String? = nil) async throws -> LinkSecret {
        let mails = try await mails(kind).filter { recipient == nil || $0.recipient == recipient }
        return try #require(mails.last?.linkSecret)
    }

    /// The mails of a kind that wait in the queue, in the order in which they were put there.
    func mails(_ kind: Mail.Kind) async throws -> [OpenedMail] {
        let rows = try await store.read { connection in
            try connection.query(
                "SELECT id, kind, sealed FROM mails WHERE kind = ?1 ORDER BY created_at, id", [.text(kind)]
            ) { try (id: $0.word(MailID.self), kind: $0.word(Mail.Kind.self), sealed: $0.bytes()) }
        }
        let seal = MailSeal(keyRing: keyRing)
        return try rows.map { row in
            let content = try seal.open(row.sealed, of: row.id)
            return OpenedMail(kind: row.kind, recipient: content.recipient, values: content.values)
        }
    }

    /// Puts a mail into the queue that nobody's act asks for.
    func write(_ kind: Mail.Kind, to recipient: String, of session: StoredSession) async throws {
        let queued = try mail.mail(
            kind, id: mail.newID(at: now), to: MailRecipient(recipient), of: session.account.id, values: [:], at: now)
        try await store.write { try $0.enqueue(queued) }
    }

    func account(of session: StoredSession) async throws -> Account? {
        try await store.session(session.session.id)?.account
    }

    func end(of session: StoredSession) async throws -> SessionEndReason? {
        try await store.session(session.session.id)?.ended?.reason
    }

    /// The account's events but those of sign-ins, oldest first: kind and reason.
    func events(of session: StoredSession) async throws -> [String] {
        let events = try await store.accountEvents(of: session.account.id, after: 0, limit: 1_000)
        return events.filter { $0.kind != .signedIn }.map { "\($0.kind.rawValue) \($0.reason ?? "-")" }
    }

    /// The account's entries in the audit but those of sign-ins, oldest first: event and detail.
    func audit(of session: StoredSession) async throws -> [String] {
        let entries = try await store.auditEntries(of: session.account.id, before: nil, limit: 1_000)
        return entries.filter { $0.event != .signedIn }.map { "\($0.event.rawValue) \($0.detail ?? "-")" }.sorted()
    }

    /// Takes the notices that hooks are told next.
    func notices() async throws -> [AccountNotice] {
        var notices: [AccountNotice] = []
        while true {
            let lease = QueueLease.sample(at: now)
            let taken = try await store.leaseNotices(for: "backend", lease)
            guard !taken.isEmpty else { return notices }
            for pending in taken {
                notices.append(pending.notice)
                _ = try await store.endNoticeAttempt(pending.notice.id, for: "backend", owner: lease.owner, .taken)
            }
        }
    }
}
