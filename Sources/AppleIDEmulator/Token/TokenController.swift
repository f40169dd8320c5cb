import HTTPTypes
import Hummingbird

/// `POST /auth/token`: a code, or a refresh token, for tokens.
struct TokenController: Sendable {
    let authority: Authority

    @Sendable func token(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        .uncachedJSON(try await authority.token(request.formFields()))
    }
}
