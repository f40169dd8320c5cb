import AccountDatabase
import AccountEngines
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Logging
import Testing

@testable import AccountService

/// A service that takes passwords, on a store of the test's engine, whose Apple is an emulator. Its mails stay in the queue.
final class PasswordSystem: Sendable {
    /// A mail of the queue, opened.
    struct OpenedMail: Sendable {
        let kind: Mail.Kind
        let recipient: String
        let values: [String: String]

        var secret: LinkSecret? {
            values["link"]?.split(separator: "/").last.flatMap { LinkSecret(rawValue: String($0)) }
        }
    }

    static let address = "zoe@example.com"
    static let password = Password("violet otter lantern 97")
    static let otherPassword = Password("seven quiet harbours 41")
    static let caller = Caller(address: "192.0.2.1", device: DeviceName(cleaning: "Zoë's iPad"))
    static let juice: ClientID = "com.example.juice"

    let clock: TestClock
    let emulator: Emulator
    let apple: EmulatorTransport
    let store: AccountTransactions
    let domain: AccountDomain
    let passwords: Passwords
    /// The OpenID Providers with which people can sign in.
    let providers: [TestOpenIDProvider]
    let keyRing: KeyRingInUse

    /// - Parameters:
    ///   - other: has the same store, clock and emulator.
    ///   - database: has rows already; nil for an empty one.
    ///   - texts: siwa's own by default.
    ///   - portal: has one team by default.
    ///   - teams: those whose clients are configured; nil for all of the portal.
    ///   - isNativeOnly: whether the service has no website to sign in on: neither a Services ID nor passwords.
    ///   - ids: the ids of OpenID Providers. They come from the other system if it has them.
    ///   - timeLimit: for each request to an OpenID Provider.
    ///   - willHash: runs before each hash. Then one password is hashed at once.
    init(
        sharing other: PasswordSystem? = nil, on database: (any SQLDatabase)? = nil, ring: String = KeyRingTests.one,
        cost: PasswordCost = .lowForTests, texts: ConsentTexts = .builtIn, portal: Portal? = nil,
        teams: Set<TeamID>? = nil, isNativeOnly: Bool = false,
        providers ids: [String] = [], providerTimeLimit timeLimit: Duration = .seconds(10),
        willHash: (@Sendable (Password) -> Void)? = nil
    ) async throws {
        clock = other?.clock ?? TestClock()
        if let other {
            (emulator, store) = (other.emulator, other.store)
        } else {
            emulator = try await Emulator.forTests(
                clock: clock, configuration: EmulatorConfiguration(baseURL: OutboxSystem.emulatorURL), portal: portal)
            if let database {
                store = try await AccountTransactions(on: database)
            } else {
                store = try await Engine.current.store()
            }
            try await store.noteHooks(["backend"], at: Timestamp(clock.now))
        }
        apple = EmulatorTransport(to: emulator)
        providers = ids.map { [clock] id in
            other?.providers.first { $0.id == id } ?? TestOpenIDProvider(id, now: { clock.now })
        }
        var clients: [ClientRegistration] = []
        for team in emulator.portal.teams where teams?.contains(team.id) ?? true {
            clients += try emulator.clients(of: team.id)
        }
        let silence = Logger(label: "service") { _ in SwiftLogNoOpLogHandler() }
        var configuration = AccountConfiguration(
            publicURL: try PublicURL("http://localhost:4000"), keyRing: try KeyRing(parsing: ring),
            webClient: isNativeOnly ? nil : clients.first { $0.kind == .service }?.id,
            nativeClients: Set(clients.filter { $0.kind == .app }.map(\.id)))
        var settings = PasswordSettings(hashers: willHash == nil ? 2 : 1, cost: cost)
        settings.makesWay = false
        settings.willHash = willHash
        if !isNativeOnly { configuration.passwords = settings }
        configuration.consentTexts = texts
        domain = try await AccountDomain(
            configuration: configuration,
            apple: AppleIDClient(
                server: try .emulator(at: OutboxSystem.emulatorURL), clients: clients, transport: apple,
                environment: clock.appleIDEnvironment, logger: silence),
            providers: try providers.map { try $0.makeClient(timeLimit: timeLimit) }, store: store,
            mail: MailSettings(sender: Postbox(), serviceName: "Juice"),
            environment: clock.appleIDEnvironment, logger: silence)
        passwords = try #require(domain.passwords ?? other?.passwords)
        keyRing = KeyRingInUse(try KeyRing(parsing: ring))
    }

    var now: Timestamp { Timestamp(clock.now) }

    // MARK: Mails

    /// The mails of a kind that wait in the queue, or of all kinds, in the order in which they were put there.
    func mails(_ kind: Mail.Kind? = nil, to recipient: String? = nil) async throws -> [OpenedMail] {
        await domain.finishing.idle()
        let rows = try await store.read { connection in
            try connection.query("SELECT id, kind, sealed FROM mails ORDER BY created_at, id", []) {
                try (id: $0.word(MailID.self), kind: $0.word(Mail.Kind.self), sealed: $0.bytes())
            }
        }
        let seal = MailSeal(keyRing: keyRing)
        return try rows.map { row in
            let content = try seal.open(row.sealed, of: row.id)
            return OpenedMail(kind: row.kind, recipient: content.recipient, values: content.values)
        }.filter { (kind == nil || $0.kind == kind) && (recipient == nil || $0.recipient == recipient) }
    }

    /// The secret in the link of the only new mail of a kind.
    private func newSecret(
        _ kind: Mail.Kind, _ request: () async throws -> Void
    ) async throws -> LinkSecret {
        let before = try await Set(mails(kind).compactMap(\.secret))
        try await request()
        let after = try await Set(mails(kind).compactMap(\.secret)).subtracting(before)
        #expect(after.count == 1)
        return try #require(after.first)
    }

    // MARK: Steps

    /// Asks for a sign-up.
    /// - Returns: the secret of the link that the address got.
    func signUp(
        _ address: String = address, password: Password = password, name: PersonName? = nil,
        browser: BrowserSecret? = nil
    ) async throws -> LinkSecret {
        try await newSecret(.signUp) {
            try await passwords.signUp(
                email: address, password: password, name: name, browser: browser, returnPath: nil, from: Self.caller)
        }
    }

    func signInLink(_ address: String = address, browser: BrowserSecret? = nil) async throws -> LinkSecret {
        try await newSecret(.signInLink) {
            try await passwords.requestSignInLink(
                email: address, browser: browser, returnPath: nil, from: Self.caller)
        }
    }

    func resetLink(_ address: String = address) async throws -> LinkSecret {
        try await newSecret(.passwordReset) {
            try await passwords.requestReset(email: address, browser: nil, from: Self.caller)
        }
    }

    /// Finishes a sign-up in an app.
    @discardableResult
    func finishSignUp(
        _ secret: LinkSecret, _ password: PasswordAtLink, email: String? = nil
    ) async throws -> TokenSignIn {
        try await passwords.finishSignUp(
            secret, password: password, email: email, client: Self.juice, from: Self.caller)
    }

    @discardableResult
    func finishSignIn(_ secret: LinkSecret, email: String?) async throws -> TokenSignIn {
        try await passwords.finishSignIn(secret, email: email, client: nil, from: Self.caller)
    }

    /// Makes an account with a password, by an app.
    func makeAccount(
        _ address: String = address, password: Password = password, name: PersonName? = nil
    ) async throws -> StoredSession {
        try await session(of: finishSignUp(signUp(address, password: password, name: name), .repeated(password)))
    }

    @discardableResult
    func signIn(
        _ address: String = address, password: Password = password, from network: String? = "192.0.2.1"
    ) async throws -> TokenSignIn {
        try await passwords.signIn(
            email: address, password: password, client: Self.juice, from: Caller(address: network))
    }

    /// Counts a hundred tries for the address, as those of wrong passwords.
    /// - Returns: the last of them.
    func reserveHundred() async throws -> PasswordTry {
        let form = try EmailForm(EmailAddress(Self.address))
        var tried: [PasswordTry] = []
        for count in 1...100 {
            clock.advance(by: .minutes(15))
            tried.append(
                PasswordTry(
                    form: form, account: passwords.forms.failures(of: form), network: TokenHash(of: "\(count)"), at: now
                ))
            #expect(try await store.reserve(tried[count - 1]) == Int64(count))
        }
        return tried[99]
    }

    /// Signs a person in with Apple, on a device.
    func signInWithApple(
        _ person: String = "johnny", client: ClientID = juice, hidesEmail: Bool = false
    ) async throws -> TokenSignIn {
        try await domain.signIn.native(
            credential(
                person, client: client, nonce: Base64URL.text(clock.appleIDEnvironment.randomBytes(32)),
                hidesEmail: hidesEmail), from: Self.caller)
    }

    /// Apple's credential for a nonce.
    func credential(
        _ person: String = "johnny", client: ClientID = juice, nonce: String, name: String? = nil,
        hidesEmail: Bool = false
    ) async throws -> NativeSignIn {
        let answer = try await emulator.authorize(
            person: person, client: client, nonce: nonce.sha256, hidesEmail: hidesEmail, native: true)
        return NativeSignIn(
            identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce,
            name: PersonName(givenName: name))
    }

    // MARK: Looks

    func session(of signIn: TokenSignIn) async throws -> StoredSession {
        try await domain.sessions.authenticate(accessToken: signIn.tokens.accessToken)
    }

    func end(of session: StoredSession) async throws -> SessionEndReason? {
        try await store.session(session.session.id)?.ended?.reason
    }

    func accountCount() async throws -> Int { try await store.accountCount() }

    /// The account's events, oldest first.
    func events(of account: AccountID) async throws -> [AccountEvent.Kind] {
        try await store.accountEvents(of: account, after: 0, limit: 1_000).map(\.kind)
    }

    /// The account's entries in the audit.
    func audit(of account: AccountID) async throws -> Set<AuditEvent> {
        try await Set(store.auditEntries(of: account, before: nil, limit: 1_000).map(\.event))
    }

    /// The number of rows of a table.
    func count(_ table: SQLStatement) async throws -> Int64 {
        try await store.read { connection in
            try connection.first("SELECT count(*) FROM \(table)", []) { try $0.int64() } ?? 0
        }
    }
}
