import AccountAPI
import AccountService
import AppleID
import HTTPTypes
import Hummingbird
import TaskSignals

/// Refuses requests of a network that makes too many of them. It stands before every route that writes, hashes or asks
/// Apple for a caller without a session.
struct BudgetMiddleware: RouterMiddleware {
    let kind: BudgetKind
    let budgets: AddressBudgets
    let callers: CallerReader

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        if let network = callers.network(of: request, context), let wait = budgets.take(kind, from: network) {
            throw HTTPFailure.tooManyRequests(wait)
        }
        return try await next(request, context)
    }
}

/// Counts requests that are refused, and refuses all of a network that makes too many of them. It serves requests that
/// cost most when they are bad: a wrong refresh token may be thousands of hashes, a wrong notification a signature, a
/// wrong handle a look into the database.
struct RefusalBudgetMiddleware: RouterMiddleware {
    let kind: BudgetKind
    let budgets: AddressBudgets
    let callers: CallerReader

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        guard let network = callers.network(of: request, context) else { return try await next(request, context) }
        if let wait = budgets.wait(kind, from: network) { throw HTTPFailure.tooManyRequests(wait) }
        do {
            return try await next(request, context)
        } catch {
            // A failure of this server or of Apple doesn't count against the sender. A token that names an unknown key
            // does, whatever its status.
            let isUnknownKey = (error as? AppleIDError)?.isAboutUnknownKeyName ?? false
            if isUnknownKey || HTTPFailure(of: error).code.status.kind == .clientError {
                _ = budgets.take(kind, from: network)
            }
            throw error
        }
    }
}

/// Counts invalid tokens, and refuses further ones of a network that sends too many, unchecked. Each check may cost a
/// signature, or hashes.
struct TokenBudget: Sendable {
    let budgets: AddressBudgets
    let callers: CallerReader

    /// - Parameter authenticate: is handed what it calls before a token is checked that is not known yet.
    func guarding(
        _ request: Request, _ context: ServiceContext,
        _ authenticate: (_ beforeChecking: () throws -> Void) async throws -> StoredSession
    ) async throws -> StoredSession {
        do {
            return try await authenticate {
                guard let network = callers.network(of: request, context) else { return }
                if let wait = budgets.wait(.refusedToken, from: network) { throw HTTPFailure.tooManyRequests(wait) }
            }
        } catch let error as AccountError where error.code == .tokenInvalid {
            if let network = callers.network(of: request, context) {
                _ = budgets.take(.refusedToken, from: network)
            }
            throw error
        }
    }
}

extension CallerReader {
    /// Nil for a request that came over no network, as within a process.
    func network(of request: Request, _ context: ServiceContext) -> CountedNetwork? {
        context.peer == nil ? nil : CountedNetwork(of: address(of: request, context))
    }
}

/// Counts invalid session cookies, and refuses further ones of a network that sends too many, without looking them up.
/// Each look-up costs a hash and a query.
///
/// A cookie says nothing of itself, unlike an access token, whose signature does. So those that were good here are
/// remembered, and whoever is signed in is served whatever others behind the same address send.
final class CookieBudget: Sendable {
    private let budgets: AddressBudgets
    private let callers: CallerReader
    /// The hashes of cookies that were good here. Swift seeds its hash anew in each process, so a stored hash gives
    /// nothing away. A cookie that has the hash of a good one by chance is looked up as a good one is.
    private let good = Lock(RecentlyWritten<Int, Void>(capacity: 16_384))

    init(budgets: AddressBudgets, callers: CallerReader) {
        self.budgets = budgets
        self.callers = callers
    }

    /// - Parameter authenticate: looks the cookie up.
    func guarding(
        _ cookie: String, of request: Request, _ context: ServiceContext,
        _ authenticate: () async throws -> StoredSession
    ) async throws -> StoredSession {
        let mark = cookie.hashValue
        if good.withLock({ $0[mark] == nil }), let network = callers.network(of: request, context),
            let wait = budgets.wait(.refusedCookie, from: network)
        {
            throw HTTPFailure.tooManyRequests(wait)
        }
        do {
            let session = try await authenticate()
            good.withLock { $0[mark] = () }
            return session
        } catch let error as AccountError where error.code == .tokenInvalid {
            if let network = callers.network(of: request, context) { _ = budgets.take(.refusedCookie, from: network) }
            throw error
        }
    }
}
