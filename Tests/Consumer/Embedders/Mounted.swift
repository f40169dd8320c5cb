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

// A Hummingbird server of somebody's own, with the account service beside its routes in one process.

@main
struct Server {
    static func main() async throws {
        let logger = Logger(label: "embedder")
        let settings = ProcessInfo.processInfo.environment
        let key = try AppleClientKey(id: "ABC123DEFG", team: "DEF123GHIJ", pem: settings["APPLE_KEY"] ?? "")
        let transport = AsyncHTTPTransport()
        let apple = AppleIDClient(
            clients: [
                ClientRegistration(id: "com.example.juice", kind: .app, key: key),
                ClientRegistration(id: "com.example.juice.web", kind: .service, key: key),
            ], transport: transport, logger: logger)

        var configuration = AccountConfiguration(
            publicURL: try PublicURL("https://juice.example.com"),
            keyRing: try KeyRing(parsing: settings["KEY_RING"] ?? ""),
            webClient: "com.example.juice.web", nativeClients: ["com.example.juice"])
        configuration.sessionLimits.refreshGrace = .seconds(30)
        configuration.auditLifetime = .seconds(90 * 86_400)
        let domain = try await AccountDomain.open(
            configuration: configuration, apple: apple, storage: .sqlite("accounts.db"), logger: logger)

        let accounts = try buildApplication(
            domain: domain, configuration: AccountHTTPConfiguration(appName: "Juice"), port: 4_001, logger: logger)
        let sessions = domain.sessions
        let router = Router()
        router.get("/whoami") { request, _ in
            let token = (request.headers[.authorization] ?? "").dropFirst("Bearer ".count)
            do {
                return try await sessions.authenticate(accessToken: String(token)).account.id.rawValue
            } catch let error as AccountError where error.code == .accessTokenExpired {
                throw HTTPError(.unauthorized, message: error.reason)
            }
        }
        let own = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 4_000)),
            logger: logger)

        // A group stops them from the last to the first: the servers, then what the accounts need.
        try await ServiceGroup(
            services: domain.services + [accounts, own], gracefulShutdownSignals: [.sigterm], logger: logger
        ).run()
        try await transport.shutdown()
    }
}
