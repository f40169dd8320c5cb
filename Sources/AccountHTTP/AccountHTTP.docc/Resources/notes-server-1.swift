import AccountHTTP
import AccountSQLite
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import AsyncHTTPTransport
import Logging
import ServiceLifecycle
import UnixSignals

@main
struct NotesServer {
    static func main() async throws {
        let logger = Logger(label: "notes")
        let emulator = try await Emulator(logger: logger)
        let transport = AsyncHTTPTransport()
        let apple = AppleIDClient(
            server: try .emulator(at: emulator.portal.baseURL), clients: try emulator.clients(), transport: transport,
            logger: logger)
        let configuration = AccountConfiguration(
            publicURL: try PublicURL("http://localhost:4000"),
            keyRing: try KeyRing(parsing: "notes:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
            webClient: "com.example.juice.web", nativeClients: ["com.example.juice"],
            apps: [
                App(
                    id: "juice", name: "Juice", bundleIDs: ["com.example.juice"], servicesID: "com.example.juice.web",
                    returnTargets: [.loopback])
            ])
        let domain = try await AccountDomain.open(
            configuration: configuration, apple: apple, storage: .inMemory, logger: logger)

        let server = try AccountServer(
            domain: domain, configuration: AccountHTTPConfiguration(appName: "Notes"), port: 4_000,
            after: [transport], logger: logger)
        try await ServiceGroup(
            services: [emulator.application(), server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        ).run()
    }
}
