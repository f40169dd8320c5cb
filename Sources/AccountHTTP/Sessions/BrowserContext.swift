import AccountService
import Hummingbird
import NIOCore

/// A request for a page by a browser that is signed in. There is none without.
struct BrowserContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let peer: SocketAddress?
    let session: StoredSession

    init(context: ServiceContext) throws {
        guard let session = context.browserSession else { throw SignInNeeded() }
        self.coreContext = context.coreContext
        self.peer = context.peer
        self.session = session
    }
}
