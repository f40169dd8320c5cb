import AccountDatabase
import AccountSQLite
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Logging
import Testing

@testable import AccountService

/// A service on a real store whose Apple is an emulator, with the worker in the test's hands.
final class OutboxSystem: Sendable {
    static let juice: ClientID = "com.example.juice"
    static let emulatorURL = "http://127.0.0.1:4010"

    let clock: TestClock
    let apple: EmulatorTransport
    let emulator: Emulator
    let store: AccountTransactions
    let domain: AccountDomain

    /// - Parameter clients: those that are configured; nil for all of the emulator's.
    init(
        clients: [ClientRegistration]? = nil, hooks: [any AccountHook] = [], sharing other: OutboxSystem? = nil,
        instrumentation: AppleIDInstrumentation = .system,
        logger: Logger = Logger(label: "service") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        clock = other?.clock ?? TestClock()
        if let other {
            emulator = other.emulator
            store = other.store
        } else {
            emulator = try await Emulator.forTests(
                clock: clock, configuration: EmulatorConfiguration(baseURL: Self.emulatorURL))
            store = try await AccountTransactions.open(.inMemory)
        }
        apple = EmulatorTransport(to: emulator)
        let clients = try clients ?? emulator.clients()
        domain = try await Self.open(
            store, over: apple, clients: clients, hooks: hooks, clock: clock, instrumentation: instrumentation,
            logger: logger)
    }

    /// A service on the same store with another transport to Apple.
    func domain(over transport: any AppleTransport) async throws -> AccountDomain {
        try await Self.open(
            store, over: transport, clients: emulator.clients(), clock: clock, instrumentation: .system,
            logger: Logger(label: "service") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func open(
        _ store: AccountTransactions, over transport: any AppleTransport, clients: [ClientRegistration],
        hooks: [any AccountHook] = [], clock: TestClock, instrumentation: AppleIDInstrumentation, logger: Logger
    ) async throws -> AccountDomain {
        try await AccountDomain(
            configuration: AccountConfiguration(
                publicURL: try PublicURL("http://localhost:4000"), keyRing: try KeyRing(parsing: KeyRingTests.one),
                webClient: nil, nativeClients: Set(clients.filter { $0.kind == .app }.map(\.id))),
            apple: AppleIDClient(
                server: try .emulator(at: emulatorURL), clients: clients, transport: transport,
                environment: clock.appleIDEnvironment, instrumentation: instrumentation,
                logger: Logger(label: "apple") { _ in SwiftLogNoOpLogHandler() }),
            store: store, hooks: hooks, environment: clock.appleIDEnvironment, logger: logger)
    }

    var outbox: Outbox { domain.outbox }
    var now: Timestamp { outbox.now }

    /// A grant that lives at the emulator.
    func grant() async throws -> TokenGrant {
        let nonce = "a nonce of the outbox's tests"
        let answer = try await emulator.authorize(client: Self.juice, nonce: nonce, native: true)
        return try await outbox.apple.exchange(
            code: try #require(answer.code), client: Self.juice, nonce: .issued(nonce))
    }

    /// Writes the revocation of a token into the outbox, as a deletion does.
    func order(_ token: RefreshToken?, with seal: Seal? = nil) async throws -> OutboxID {
        let kept = try AppleToken(
            sealing: try #require(token), client: Self.juice, with: seal ?? outbox.tokenSeal, at: now,
            randomness: clock.appleIDEnvironment.randomBytes(10))
        let id = OutboxID(rawValue: kept.id.rawValue)
        try await store.insertIntoOutbox(
            OutboxEntry(
                id: id, kind: .revocation, clientID: kept.clientID, sealed: kept.sealed, personHash: nil,
                createdAt: now))
        return id
    }

    func entry(_ id: OutboxID) async throws -> OutboxEntry {
        try #require(try await store.outboxEntry(id))
    }

    /// Whether a grant's refresh token is dead at the emulator.
    func isRevoked(_ grant: TokenGrant) async throws -> Bool {
        do {
            _ = try await outbox.apple.refresh(
                try #require(grant.refreshToken), client: Self.juice, subject: grant.identity.subject)
            return false
        } catch let error as AppleIDError where error.kind == .grantIsDead {
            return true
        }
    }
}

extension AccountTransactions {
    func outboxEntry(_ id: OutboxID) async throws -> OutboxEntry? {
        try await read { connection in
            try connection.first(.outboxEntry, [.id(id)]) { try $0.outboxEntry() }
        }
    }
}

extension String {
    /// In lowercase hexadecimal, as an app gives its nonce to Apple.
    var sha256: String {
        TokenHash(of: self).bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
