import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /auth/usermigrationinfo`: how the subjects of two teams belong together, for an app that changes hands.
struct MigrationController: Sendable {
    let authority: Authority

    @Sendable func migrate(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        guard request.mediaType != "application/json" else {
            throw Refusal(.invalidRequest, "The body must be a form, not JSON.")
        }
        let answer = try authority.migrate(try await request.clientFields(), accessToken: request.credentials("bearer"))
        return .uncachedJSON(answer.json)
    }
}
