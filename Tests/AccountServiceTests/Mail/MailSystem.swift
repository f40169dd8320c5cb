import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTypes
import Logging
import TaskSignals
import Testing

@testable import AccountService

/// Takes mails as a mail server does, and answers as the test says.
final class Postbox: MailSender {
    private struct State {
        var mails: [Mail] = []
        var answer = MailAnswer.delivered
        var isClosedTo: [String: OneShot<Void>] = [:]
    }

    private let state = Lock(State())
    /// A mail has come.
    let heard = AsyncStream<Mail>.makeStream()

    /// Every attempt, in the order in which they began.
    var mails: [Mail] { state.withLock { $0.mails } }

    func answer(_ answer: MailAnswer) {
        state.withLock { $0.answer = answer }
    }

    /// Doesn't answer mails to an address before ``open(to:)``.
    func close(to address: String) {
        state.withLock { $0.isClosedTo[address] = OneShot<Void>() }
    }

    func open(to address: String) {
        state.withLock { $0.isClosedTo[address] }?.deliver()
    }

    func send(_ mail: Mail) async -> MailAnswer {
        let door = state.withLock { state in
            state.mails.append(mail)
            return state.isClosedTo[mail.recipient]
        }
        heard.continuation.yield(mail)
        await door?.wait()
        return state.withLock { $0.answer }
    }
}

/// A service with a store of the test's engine that sends mail to a ``Postbox``, with the worker in the test's hands.
struct MailSystem {
    static let address = "johnny@example.com"
    static let relay = "x7k2m9p4qa@private.icloud.com"

    let clock: Clock
    let postbox: Postbox
    let store: AccountTransactions
    let domain: AccountDomain
    private let keyRing: KeyRing

    /// - Parameters:
    ///   - other: has the same store and clock.
    ///   - sendsMail: whether the service is configured to.
    init(
        sharing other: MailSystem? = nil, ring: String = KeyRingTests.one, sendsMail: Bool = true,
        instrumentation: AppleIDInstrumentation = .system,
        logger: Logger = Logger(label: "service") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        clock = other?.clock ?? Clock()
        postbox = other?.postbox ?? Postbox()
        store = if let other { other.store } else { try await Engine.current.store() }
        keyRing = try KeyRing(parsing: ring)
        domain = try await AccountDomain(
            configuration: AccountConfiguration(
                publicURL: try PublicURL("https://example.com"), keyRing: keyRing, webClient: nil, nativeClients: []),
            apple: AppleIDClient(
                clients: [], transport: NoNetwork(), instrumentation: instrumentation, logger: Logger(label: "test")),
            store: store, mail: sendsMail ? MailSettings(sender: postbox, serviceName: "Juice") : nil,
            environment: clock.environment, logger: logger)
    }

    var delivery: MailDelivery { domain.mailDelivery }
    var administration: MailAdministration {
        MailAdministration(
            store: store, writer: domain.mailWriter, keyRing: KeyRingInUse(keyRing), environment: clock.environment)
    }
    var now: Timestamp { Timestamp(clock.environment.now()) }

    /// Puts a mail into the queue.
    @discardableResult
    func enqueue(
        _ kind: Mail.Kind = .test, to recipient: MailRecipient = MailRecipient(address), of account: AccountID? = nil,
        values: [String: String] = [:]
    ) async throws -> MailID {
        let id = domain.mailWriter.newID(at: now)
        let mail = try domain.mailWriter.mail(kind, id: id, to: recipient, of: account, values: values, at: now)
        try await store.write { try $0.enqueue(mail) }
        return id
    }

    /// Signs a person in as ``SignIn`` does.
    @discardableResult
    func signIn(
        _ person: SignInRecord.Person = .sample(), on device: String? = nil, kind: Session.Kind = .tokens,
        client: ClientID = "com.example.juice", appleToken: AppleToken? = nil, from address: String? = nil,
        languages: [String] = []
    ) async throws -> SignInOutcome {
        var session = SignInRecord.NewSession.sample(kind, at: now, expiresAt: now + .days(30))
        session.clientID = client
        session.deviceName = device.flatMap { DeviceName(cleaning: $0) }
        var person = person
        person.authorizedAt = now
        var record = SignInRecord.sample(at: now, person, appleToken: appleToken, session: session)
        record.caller = Caller(address: address, device: session.deviceName, languages: languages)
        record.newDeviceMail = NewDeviceMail(writer: domain.mailWriter, at: now)
        return try await store.signIn(record)
    }

    /// Adds an identity to an account, as linking will.
    func addIdentity(_ subject: Subject, _ email: String, to account: AccountID) async throws -> IdentityID {
        let id = IdentityID.sample(at: now)
        let moment = now
        _ = try await store.write { connection in
            try connection.execute(
                """
                INSERT INTO identities (id, account_id, provider, team, subject, email, email_verified, is_private_email,
                    created_at, last_sign_in_at, last_authorized_at)
                VALUES (?1, ?2, 'apple', 'TEAM000001', ?3, ?4, ?5, ?5, ?6, ?6, ?6)
                """, [.id(id), .id(account), .text(subject), .text(email), .flag(true), .time(moment)])
        }
        return id
    }

    /// Deletes the account of a session as ``Deletions`` does.
    /// - Returns: the hash of the deletion's handle.
    @discardableResult
    func deleteAccount(of session: SessionID) async throws -> TokenHash {
        var record = DeletionRecord.sample(in: session, at: now)
        record.mails = DeletionMails(writer: domain.mailWriter, at: now)
        _ = try await store.deleteAccount(record)
        return record.handleHash
    }

    /// Sends every mail that is due.
    /// - Returns: the mails that were tried.
    @discardableResult
    func deliver() async throws -> [Mail] {
        let count = postbox.mails.count
        try await delivery.drain()
        return Array(postbox.mails.dropFirst(count))
    }
}

extension SignInRecord.Person {
    /// A person who hides their address.
    static func hidden(_ subject: Subject = "001999.person") -> Self {
        Self(
            team: "TEAM000001", subject: subject, email: MailSystem.relay, emailVerified: true, isPrivateEmail: true,
            realUserStatus: nil)
    }
}
