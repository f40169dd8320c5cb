import AccountAPI
import AccountService
import Hummingbird
import NIOCore

/// A request under `/v1` with a good access token. There is none without.
struct TokenContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let peer: SocketAddress?
    let session: StoredSession

    init(context: ServiceContext) throws {
        guard let session = context.tokenSession else {
            throw HTTPFailure(.accessTokenMissing, "This call needs `Authorization: Bearer` with an access token.")
        }
        self.coreContext = context.coreContext
        self.peer = context.peer
        self.session = session
    }
}
