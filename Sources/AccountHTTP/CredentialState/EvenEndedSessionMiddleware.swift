import AccountService
import Hummingbird

/// Takes the access token of a request, or either token of a session that Apple's word ended.
///
/// It stands before the two calls that such a session may still make, and hands it on by a context of its own, which no
/// other call takes.
struct EvenEndedSessionMiddleware: RouterMiddleware {
    let sessions: Sessions
    let budget: TokenBudget

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        var context = context
        if let token = try AccessTokenMiddleware.token(in: request) {
            context.evenEndedSession = try await budget.guarding(request, context) {
                try await sessions.authenticateEvenEnded(token, beforeChecking: $0)
            }
        }
        return try await next(request, context)
    }
}
