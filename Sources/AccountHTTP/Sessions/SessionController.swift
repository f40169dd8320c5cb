import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// Renewing and ending a session.
struct SessionController: Sendable {
    let sessions: Sessions
    let body: JSONBody
    let callers: CallerReader

    @Sendable func refresh(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(RefreshRequest.self, from: request)
        let attempt = try input.attempt.map { text in
            guard let attempt = RefreshAttempt(received: text) else {
                throw HTTPFailure.invalidRequest("attempt", "is not 16 bytes in base64url without padding")
            }
            return attempt
        }
        let tokens = try await sessions.refresh(
            input.refreshToken, deviceName: input.deviceName.flatMap { DeviceName(cleaning: $0) }, attempt: attempt,
            from: callers.caller(of: request, context))
        return Response(json: RefreshAnswer(session: SessionBody(tokens)))
    }

    @Sendable func end(_ request: Request, _ context: SessionContext) async throws -> Response {
        try await sessions.end(context.session.session.id, from: callers.caller(of: request, context))
        return Response(status: .noContent)
    }

    /// A browser without a session may call it too, and is signed out afterwards. If the database fails, the
    /// cookie stays, so that the person can try again instead of leaving a live session behind.
    @Sendable func signOut(_ request: Request, _ context: ServiceContext) async throws -> Response {
        if let session = context.browserSession {
            try await sessions.end(session.session.id, from: callers.caller(of: request, context))
        }
        return Response(seeOther: SignInController.signedOutPath, cookie: CookieName.session.clearing)
    }
}
