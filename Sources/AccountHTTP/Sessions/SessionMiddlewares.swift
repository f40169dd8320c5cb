import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// Takes the access token of a request under `/v1`. A cookie means nothing there.
///
/// It stands before the calls that need a session, and no others: a client that adds its old token to every request
/// must still be able to refresh it, and to sign in.
struct AccessTokenMiddleware: RouterMiddleware {
    private static let scheme = Array("bearer".utf8)

    let sessions: Sessions
    let budget: TokenBudget
    /// Whether a session that Apple ended is taken too, by its access token or its refresh token. The session goes to
    /// the handler by a context of its own, so that no other call can take it for a live one.
    let allowsEndedSession: Bool

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        var context = context
        if let token = try Self.token(in: request) {
            if allowsEndedSession {
                context.sessionOrEnded = try await budget.guarding(request, context) {
                    try await sessions.authenticateAllowingEndedSession(token, beforeChecking: $0)
                }
            } else {
                context.tokenSession = try await budget.guarding(request, context) {
                    try await sessions.authenticate(accessToken: token, beforeChecking: $0)
                }
            }
        }
        return try await next(request, context)
    }

    private static func token(in request: Request) throws -> String? {
        let fields = request.headers[values: .authorization]
        guard let field = fields.first else { return nil }
        // Splits bytes, because splitting characters costs as much as looking the token up.
        let words = field.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard fields.count == 1, words.count == 2, words[0].count == Self.scheme.count,
            zip(words[0], Self.scheme).allSatisfy({ $0 | 0x20 == $1 })
        else {
            throw HTTPFailure(.accessTokenInvalid, "The `Authorization` header is not `Bearer` and one token.")
        }
        return String(decoding: words[1], as: UTF8.self)
    }
}

/// Takes the session cookie of a request for a page. An access token means nothing there.
///
/// A cookie whose session is over is as good as none: the page says what to do. If the session's account was merged
/// into another one, pages that need a session say so, once.
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
            } catch let error as AccountError where error.code == .accountMerged {
                context.mergedBrowserSession = error
            } catch let error as AccountError where error.code == .tokenInvalid {
                context.hasUnknownSessionCookie = true
            } catch let error as AccountError where error.code == .sessionEnded {
                context.browserSession = nil
            }
        }
        return try await next(request, context)
    }
}
