import AccountService
import Hummingbird

/// Takes the session cookie of a request for a page. An access token means nothing there.
///
/// A cookie whose session is over is as good as none: the page says what to do.
struct SessionCookieMiddleware: RouterMiddleware {
    let sessions: Sessions
    let budget: CookieBudget

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        var context = context
        if let cookie = CookieName.session.value(in: request) {
            do {
                context.browserSession = try await budget.guarding(cookie, of: request, context) {
                    try await sessions.authenticate(cookie: cookie)
                }
            } catch let error as AccountError where error.code == .tokenInvalid || error.code == .sessionEnded {
                context.browserSession = nil
            }
        }
        return try await next(request, context)
    }
}
