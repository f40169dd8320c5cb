import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /auth/revoke`: ends what an access or refresh token stands for. 200 proves nothing about the token.
struct RevocationController: Sendable {
    let authority: Authority

    @Sendable func revoke(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await authority.revoke(fields(of: request))
        // Without a body there is no `Content-Type`: clients that see one parse the body, and fail on an empty one.
        var headers: HTTPFields = [.cacheControl: "no-store", .pragma: "no-cache"]
        if authority.current.quirks.contains(.emptyAnswerHasContentType) {
            headers[.contentType] = "application/json;charset=UTF-8"
        }
        return Response(status: .ok, headers: headers)
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
