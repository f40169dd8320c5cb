import AccountAPI
import AccountService
import Hummingbird

/// A request under `/v1` of a live session, or of one that Apple's word ended. There is none without.
struct EvenEndedContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let session: StoredSession

    init(context: ServiceContext) throws {
        guard let session = context.evenEndedSession else {
            throw HTTPFailure(.accessTokenMissing, "This call needs `Authorization: Bearer` with an access token.")
        }
        self.coreContext = context.coreContext
        self.session = session
    }
}
