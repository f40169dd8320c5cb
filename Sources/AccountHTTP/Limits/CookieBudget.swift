import AccountService
import Hummingbird
import Synchronization

/// Counts session cookies that are none of ours, and has no more of them looked up for a network that sends too many:
/// each costs a hash and a look into the database.
///
/// A cookie says nothing of itself, unlike an access token, whose signature does. So those that were good here are
/// remembered, and whoever is signed in is served whatever others behind the same address send.
final class CookieBudget: Sendable {
    private let budgets: AddressBudgets
    private let clients: ClientAddress
    /// By Swift's own hash, seeded anew in each process: it gives nothing away, and whoever met one by chance would get
    /// no more than another look.
    private let good = Mutex(RecentlyUsed<Int, Void>(capacity: 16_384))

    init(budgets: AddressBudgets, clients: ClientAddress) {
        self.budgets = budgets
        self.clients = clients
    }

    /// - Parameter authenticate: looks the cookie up.
    func guarding(
        _ cookie: String, of request: Request, _ context: ServiceContext,
        _ authenticate: () async throws -> StoredSession
    ) async throws -> StoredSession {
        let mark = cookie.hashValue
        if good.withLock({ $0[mark] == nil }), let network = clients.network(of: request, context),
            let wait = budgets.wait(.refusedCookie, from: network)
        {
            throw HTTPFailure.tooManyRequests(wait)
        }
        do {
            let session = try await authenticate()
            good.withLock { $0[mark] = () }
            return session
        } catch let error as AccountError where error.code == .tokenInvalid {
            if let network = clients.network(of: request, context) { _ = budgets.take(.refusedCookie, from: network) }
            throw error
        }
    }
}
