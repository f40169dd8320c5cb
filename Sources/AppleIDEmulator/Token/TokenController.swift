import HTTPTypes
import Hummingbird

/// `POST /auth/token`: tokens for a code, for a refresh token, or for the client itself.
struct TokenController: Sendable {
    let authority: Authority

    @Sendable func token(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        .uncachedJSON(try await authority.token(request.clientFields()))
    }
}
