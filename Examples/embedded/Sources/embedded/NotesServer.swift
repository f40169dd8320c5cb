import AccountHTTP
import AccountService
import AppleID
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The context of each request. The account service limits requests by the client's address, so the context keeps it.
@available(macOS 15, *)
struct NotesContext: RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}

/// A server that keeps a note for each person. The account service's routes are among its own.
@available(macOS 15, *)
struct NotesServer: Sendable {
    let domain: AccountDomain
    let notes: Notes

    /// Opens the account service. If an account is deleted, its note goes too. If it is merged, its note moves.
    static func open(
        configuration: AccountConfiguration, apple: AppleIDClient, storage: AccountStorage, notes: Notes,
        logger: Logger
    ) async throws -> NotesServer {
        let follow = InProcessHook(name: "follow-accounts") { notice in
            switch notice.kind {
            case .accountDeleted: await notes.forget(notice.accountID)
            case .accountMerged: await notes.move(from: notice.accountID, to: notice.mergedInto)
            default: break
            }
        }
        let domain = try await AccountDomain.open(
            configuration: configuration, apple: apple, storage: storage, hooks: [follow], logger: logger)
        return NotesServer(domain: domain, notes: notes)
    }

    /// The server. It stops before the account service's work in the background, and that before the transport to Apple.
    func application(
        port: Int, after needed: [any Service] = [], logger: Logger
    ) throws -> some ApplicationProtocol {
        let router = Router(context: NotesContext.self)
        let accounts = try domain.addAccountRoutes(
            to: router, configuration: AccountHTTPConfiguration(appName: "Notes"), except: ["/"])
        router.get("/") { _, _ in "Notes. An app signs in with POST /v1/sign-in/apple." }
        router.get("note") { request, _ in
            try await notes.note(of: account(of: request)) ?? ""
        }
        router.put("note") { request, _ in
            let id = try await account(of: request)
            await notes.keep(String(buffer: try await request.body.collect(upTo: 4_096)), for: id)
            return HTTPResponse.Status.noContent
        }
        return Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            services: needed + [accounts], logger: logger)
    }

    /// The account of a request with an access token of the account service.
    private func account(of request: Request) async throws -> AccountID {
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else {
            throw HTTPError(.unauthorized)
        }
        do {
            return try await domain.sessions.authenticate(accessToken: String(header.dropFirst(7))).account.id
        } catch let error as AccountError {
            throw HTTPError(error.code == .unavailable ? .serviceUnavailable : .unauthorized)
        }
    }
}

/// The notes. A real server keeps them in its database.
actor Notes {
    private var texts: [AccountID: String] = [:]

    var count: Int { texts.count }

    func note(of account: AccountID) -> String? { texts[account] }
    func keep(_ text: String, for account: AccountID) { texts[account] = text }
    func forget(_ account: AccountID) { texts[account] = nil }

    func move(from account: AccountID, to remaining: AccountID?) {
        guard let remaining, let text = texts.removeValue(forKey: account) else { return }
        texts[remaining, default: ""] += text
    }
}
