import AccountHTTP
import AccountSQLite
import AccountService
import AppleID
import AppleIDTypes
import AsyncHTTPTransport
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import UnixSignals

// The account service as one value, beside a server of somebody's own in one process.

@main
struct Server {
    static func main() async throws {
        let logger = Logger(label: "embedder")
        let settings = ProcessInfo.processInfo.environment

        // guide
        let transport = AsyncHTTPTransport()
        let key = try AppleClientKey(id: "ABC123DEFG", team: "DEF123GHIJ", pem: settings["APPLE_KEY"] ?? "")
        let apple = AppleIDClient(
            clients: [
                ClientRegistration(id: "com.example.juice", kind: .app, key: key),
                ClientRegistration(id: "com.example.juice.web", kind: .service, key: key),
            ], transport: transport, logger: logger)
        let configuration = AccountConfiguration(
            publicURL: try PublicURL("https://juice.example.com"),
            keyRing: try KeyRing(parsing: settings["KEY_RING"] ?? ""),
            webClient: "com.example.juice.web", nativeClients: ["com.example.juice"])
        let domain = try await AccountDomain.open(
            configuration: configuration, apple: apple, storage: .sqlite("accounts.db"), logger: logger)
        // end

        // guide
        let accounts = try AccountServer(
            domain: domain, configuration: AccountHTTPConfiguration(appName: "Juice"), port: 4_000,
            after: [transport], logger: logger)
        try await ServiceGroup(
            services: [accounts], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        ).run()
        // end
    }

    /// Two servers in one group: the accounts on a port of their own.
    static func together(_ accounts: AccountServer, logger: Logger) async throws {
        let router = Router()
        let sessions = accounts.domain.sessions
        router.get("/whoami") { request, _ in
            let token = (request.headers[.authorization] ?? "").dropFirst("Bearer ".count)
            do {
                return try await sessions.authenticate(accessToken: String(token)).account.id.rawValue
            } catch let error as AccountError where error.code == .accessTokenExpired {
                throw HTTPError(.unauthorized, message: error.reason)
            }
        }
        let own = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 4_001)),
            logger: logger)
        try await ServiceGroup(services: [accounts, own], gracefulShutdownSignals: [.sigterm], logger: logger).run()
    }

    static func limits(_ configuration: inout AccountConfiguration) {
        configuration.sessionLimits.refreshGrace = .seconds(30)
        configuration.auditLifetime = .seconds(90 * 86_400)
    }
}
