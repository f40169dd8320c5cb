import AccountHTTP
import AccountSQLite
import AccountService
import AppleID
import AppleIDTypes
import AsyncHTTPTransport
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

@main
struct NotesServer {
    static func main() async throws {
        let logger = Logger(label: "notes")
        let settings = ProcessInfo.processInfo.environment
        let transport = AsyncHTTPTransport()
        let key = try AppleClientKey(id: "ABC123DEFG", team: "DEF123GHIJ", pem: settings["APPLE_KEY"] ?? "")
        let apple = AppleIDClient(
            clients: [
                ClientRegistration(id: "com.example.notes", kind: .app, key: key),
                ClientRegistration(id: "com.example.notes.web", kind: .service, key: key),
            ], transport: transport, logger: logger)
        let configuration = AccountConfiguration(
            publicURL: try PublicURL("https://notes.example.com"),
            keyRing: try KeyRing(parsing: settings["KEY_RING"] ?? ""),
            webClient: "com.example.notes.web", nativeClients: ["com.example.notes"],
            apps: [
                App(
                    id: "notes", name: "Notes", bundleIDs: ["com.example.notes"], servicesID: "com.example.notes.web",
                    returnTargets: [.loopback])
            ])
        let notes = Notes()
        let follow = InProcessHook(name: "follow-accounts") { notice in
            switch notice.kind {
            case .accountDeleted: await notes.forget(notice.accountID)
            case .accountMerged: await notes.move(from: notice.accountID, to: notice.mergedInto)
            default: break
            }
        }
        let domain = try await AccountDomain.open(
            configuration: configuration, apple: apple, storage: .sqlite("notes.db"), hooks: [follow], logger: logger)

        let router = Router(context: NotesContext.self)
        let accounts = try domain.addAccountRoutes(
            to: router,
            configuration: AccountHTTPConfiguration(appName: "Notes", trustedProxies: [AddressRange("127.0.0.1")!]))
        router.get("note") { request, _ in
            try await notes.note(of: account(of: request, in: domain))
        }
        router.put("note") { request, _ in
            let id = try await account(of: request, in: domain)
            await notes.keep(String(buffer: try await request.body.collect(upTo: 4_096)), for: id)
            return HTTPResponse.Status.noContent
        }

        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 4_000)),
            services: [transport, accounts], logger: logger)
        try await application.runService()
    }
}

/// The account of a request with an access token.
func account(of request: Request, in domain: AccountDomain) async throws -> AccountID {
    guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else {
        throw HTTPError(.unauthorized)
    }
    do {
        return try await domain.sessions.authenticate(accessToken: String(header.dropFirst(7))).account.id
    } catch let error as AccountError {
        throw HTTPError(error.code == .unavailable ? .serviceUnavailable : .unauthorized)
    }
}

actor Notes {
    private var texts: [AccountID: String] = [:]

    func note(of account: AccountID) -> String { texts[account] ?? "" }
    func keep(_ text: String, for account: AccountID) { texts[account] = text }
    func forget(_ account: AccountID) { texts[account] = nil }

    func move(from account: AccountID, to remaining: AccountID?) {
        guard let remaining, let text = texts.removeValue(forKey: account) else { return }
        texts[remaining, default: ""] += text
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
