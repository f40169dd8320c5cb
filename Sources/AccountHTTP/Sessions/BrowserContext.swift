import AccountService
import Hummingbird

/// A request for a page by a browser that is signed in. There is none without.
struct BrowserContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let session: StoredSession

    init(context: ServiceContext) throws {
        guard let session = context.browserSession else { throw SignInNeeded() }
        self.coreContext = context.coreContext
        self.session = session
    }
}
