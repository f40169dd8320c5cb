import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /auth/revoke`: ends what an access or refresh token stands for. 200 proves nothing about the token.
struct RevocationController: Sendable {
    let authority: Authority

    @Sendable func revoke(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await authority.revoke(fields(of: request))
        // No body, and the headers of the other endpoints all the same.
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json;charset=UTF-8", .cacheControl: "no-store", .pragma: "no-cache",
            ])
    }

    /// Who sends nothing at all is told that the client is missing, not the content type.
    private func fields(of request: Request) async throws -> FormFields {
        if request.mediaType == nil, try await request.boundedBody().isEmpty { return try FormFields([], plus: .space) }
        guard request.mediaType != "application/json" else {
            throw Refusal(.invalidRequest, "The body must be a form, not JSON.")
        }
        return try await request.clientFields()
    }
}
