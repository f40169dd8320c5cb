import AccountHTTP
import AccountSQLite
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import AsyncHTTPTransport
import Hummingbird
import Logging
import NIOCore
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

        let router = Router(context: NotesContext.self)
        let accounts = try domain.addAccountRoutes(
            to: router, configuration: AccountHTTPConfiguration(appName: "Notes"))
        router.get("hello") { _, _ in "Hello from a route of my own." }

        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 4_000)),
            services: [emulator.application(), transport, accounts], logger: logger)
        try await application.runService()
    }
}

struct NotesContext: RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
