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

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        var context = context
        if let token = try Self.token(in: request) {
            context.tokenSession = try await budget.guarding(request, context) {
                try await sessions.authenticate(accessToken: token, beforeChecking: $0)
            }
        }
        return try await next(request, context)
    }

    static func token(in request: Request) throws -> String? {
        let fields = request.headers[values: .authorization]
        guard let field = fields.first else { return nil }
        // By bytes: by characters, taking a token apart costs as much as looking it up.
        let words = field.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard fields.count == 1, words.count == 2, words[0].count == Self.scheme.count,
            zip(words[0], Self.scheme).allSatisfy({ $0 | 0x20 == $1 })
        else {
            throw HTTPFailure(.accessTokenInvalid, "The `Authorization` header is not `Bearer` and one token.")
        }
        return String(decoding: words[1], as: UTF8.self)
    }
}
