import AccountAPI
import AccountService
import AppleID
import HTTPTypes
import Hummingbird

/// Refuses requests of a network that makes too many of them. For whatever writes, hashes or asks Apple before anybody
/// has proved who they are.
struct BudgetMiddleware: RouterMiddleware {
    let kind: BudgetKind
    let budgets: AddressBudgets
    let clients: ClientAddress

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        if let network = clients.network(of: request, context), let wait = budgets.take(kind, from: network) {
            throw HTTPFailure.tooManyRequests(wait)
        }
        return try await next(request, context)
    }
}

/// Counts requests that are refused, and refuses all of a network that makes too many of them. For what is good by
/// itself, and costs most when it is bad: a wrong refresh token may be thousands of hashes, a wrong notification a
/// signature, a wrong handle a look into the database.
struct RefusalBudgetMiddleware: RouterMiddleware {
    let kind: BudgetKind
    let budgets: AddressBudgets
    let clients: ClientAddress

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        guard let network = clients.network(of: request, context) else { return try await next(request, context) }
        if let wait = budgets.wait(kind, from: network) { throw HTTPFailure.tooManyRequests(wait) }
        do {
            return try await next(request, context)
        } catch {
            // A failure of this server or of Apple doesn't count against the sender. A token that names an unknown key
            // does, whatever its status.
            let isUnknownKey = (error as? AppleIDError)?.isAboutUnknownKeyName ?? false
            if isUnknownKey || ErrorMiddleware.failure(for: error).code.status.kind == .clientError {
                _ = budgets.take(kind, from: network)
            }
            throw error
        }
    }
}

/// Counts tokens that are none of ours, and has no more of them checked for a network that sends too many: each may
/// cost a signature, or hashes.
struct TokenBudget: Sendable {
    let budgets: AddressBudgets
    let clients: ClientAddress

    /// - Parameter authenticate: is handed what it calls before a token is checked that is not known yet.
    func guarding(
        _ request: Request, _ context: ServiceContext,
        _ authenticate: (_ beforeChecking: () throws -> Void) async throws -> StoredSession
    ) async throws -> StoredSession {
        do {
            return try await authenticate {
                guard let network = clients.network(of: request, context) else { return }
                if let wait = budgets.wait(.refusedToken, from: network) { throw HTTPFailure.tooManyRequests(wait) }
            }
        } catch let error as AccountError where error.code == .tokenInvalid {
            if let network = clients.network(of: request, context) {
                _ = budgets.take(.refusedToken, from: network)
            }
            throw error
        }
    }
}

extension ClientAddress {
    /// Nil for a request that came over no network, as within a process.
    func network(of request: Request, _ context: ServiceContext) -> CountedNetwork? {
        context.peer == nil ? nil : CountedNetwork(of: text(of: request, context))
    }
}

extension HTTPFailure {
    static func tooManyRequests(_ wait: Duration) -> Self {
        let (seconds, rest) = wait.components
        let retryAfter = max(1, Int(seconds) + (rest > 0 ? 1 : 0))
        return Self(
            .rateLimited, "Too many requests came from this address.",
            details: .rateLimited(RetryDelay(retryAfter: retryAfter)), headers: [.retryAfter: "\(retryAfter)"])
    }
}
