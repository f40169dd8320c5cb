import AccountClient
import AccountDatabase
import AccountHTTP
import AccountSQLite
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import AuthenticationServices
import Hummingbird
import HummingbirdTesting
import Logging
import TaskSignals
import Testing

/// An account service on a port of this machine, with the emulator in Apple's place.
struct Backend: Sendable {
    static let app: ClientID = "com.example.juice"
    private static let emulatorURL = "http://127.0.0.1:4010"

    let url: URL
    let emulator: Emulator
    private let domain: AccountDomain
    private let mailbox: KeptMail

    /// A client of the service, which keeps its session in memory.
    func client() -> AccountClient {
        AccountClient(backend: url, app: Self.app.rawValue, storage: MemoryStorage())
    }

    /// Does what the service does by itself while it runs: tells Apple what it has promised to.
    func tellApple() async throws {
        try await domain.outbox.drain()
    }

    /// The link in the newest mail that has one.
    func link() async throws -> URL {
        await domain.finishing.idle()
        try await domain.mailDelivery.drain()
        // The mail about an added Apple Account has a link, too.
        return try #require(mailbox.links.last { $0.path().hasPrefix("/email-links/") })
    }

    /// Runs a service for as long as the body.
    static func run(_ body: @Sendable (Backend) async throws -> Void) async throws {
        // The client looks at the system's clock: so do both ends, in Apple's whole seconds.
        let clock = TestClock(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)))
        let silence = Logger(label: "seeds") { _ in SwiftLogNoOpLogHandler() }
        let emulator = try await Emulator.forTests(
            clock: clock, configuration: EmulatorConfiguration(baseURL: emulatorURL))
        let team = try #require(emulator.portal.teams.first)
        let clients = try emulator.clients(of: team.id)
        let mailbox = KeptMail()
        let store = try await AccountTransactions.open(.inMemory)
        var configuration = AccountConfiguration(
            publicURL: try PublicURL("http://localhost:4000"),
            keyRing: try KeyRing(parsing: KeyRing.newText(id: "test", randomness: Array(repeating: 9, count: 32))),
            webClient: clients.first { $0.kind == .service }?.id, nativeClients: [app])
        configuration.passwords = PasswordSettings(
            cost: PasswordCost(roundsExponent: 4, blockSize: 1, parallelism: 1))
        let domain = try await AccountDomain(
            configuration: configuration,
            apple: AppleIDClient(
                server: try .emulator(at: emulatorURL), clients: clients, transport: EmulatorTransport(to: emulator),
                environment: clock.appleIDEnvironment, logger: silence),
            store: store, mail: MailSettings(sender: mailbox, serviceName: "Juice"),
            environment: clock.appleIDEnvironment, logger: silence)
        let application = try buildApplication(domain: domain, port: 0, logger: silence)
        try await application.test(.live) { client in
            let port = try #require(client.port)
            let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
            try await body(Backend(url: url, emulator: emulator, domain: domain, mailbox: mailbox))
        }
    }
}

/// Takes every mail of the service, and keeps its link.
private final class KeptMail: MailSender {
    private let taken = Lock<[URL]>([])

    var links: [URL] { taken.withLock { $0 } }

    func send(_ mail: Mail) async -> MailAnswer {
        if let link = mail.values["link"].flatMap({ URL(string: $0) }) { taken.withLock { $0.append(link) } }
        return .delivered
    }
}
