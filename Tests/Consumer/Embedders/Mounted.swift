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

// A Hummingbird server of somebody's own, with the account service's routes among its own.

// guide
struct NotesContext: RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
// end

struct Mounted {
    let domain: AccountDomain
    let transport: AsyncHTTPTransport
    let logger: Logger

    func run() async throws {
        // guide
        let router = Router(context: NotesContext.self)
        let accounts = try domain.addAccountRoutes(
            to: router, configuration: AccountHTTPConfiguration(appName: "Notes"), except: ["/"])
        router.get("/") { _, _ in "My own start page" }

        let application = Application(router: router, services: [transport, accounts], logger: logger)
        try await application.runService()
        // end
    }

    func ownRoutes(_ router: Router<NotesContext>) {
        // guide
        router.get("note") { [domain] request, _ in
            guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else {
                throw HTTPError(.unauthorized)
            }
            do {
                let session = try await domain.sessions.authenticate(accessToken: String(header.dropFirst(7)))
                return "The note of \(session.account.id.rawValue)"
            } catch let error as AccountError {
                throw HTTPError(error.code == .unavailable ? .serviceUnavailable : .unauthorized)
            }
        }
        // end
    }
}
