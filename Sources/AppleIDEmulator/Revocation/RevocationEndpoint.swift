import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /auth/revoke`: ends the consent or session of an access or refresh token. The status 200 proves nothing about
/// the token.
struct RevocationEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func revoke(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await core.revoke(fields(of: request))
        // An empty answer has no `Content-Type`: clients that see one parse the body, and fail on an empty one.
        var headers: HTTPFields = [.cacheControl: "no-store", .pragma: "no-cache"]
        if core.current.behaviour.revocationAnswerHasContentType {
            headers[.contentType] = "application/json;charset=UTF-8"
        }
        return Response(status: .ok, headers: headers)
    }

    /// An empty request gets the error for a missing client, not for a missing content type.
    private func fields(of request: Request) async throws -> FormFields {
        if request.mediaType == nil, try await request.boundedBody().isEmpty { return try FormFields([], plus: .space) }
        guard request.mediaType != "application/json" else {
            throw Refusal(.invalidRequest, "The body must be a form, not JSON.")
        }
        return try await request.clientFields()
    }
}

extension EmulatorCore {
    /// Looks the token up, then checks the client: public tests that call Apple send a nonsense client, secret and
    /// token, and get 200. An empty request is `invalid_client`.
    func revoke(_ fields: FormFields) async throws {
        try fields.checkHasClient()
        let now = environment.seconds
        let state = current
        // If the token is missing, there is nothing to look up.
        let isClientFirst = state.behaviour.firstCheck == .client || fields["token"] == nil
        if isClientFirst { _ = try client(of: fields) }
        let request = try RevocationRequest(fields)
        guard request.hasKnownHint || state.behaviour.foreignTokenRevocation == .success else {
            throw Refusal(.invalidRequest, "token_type_hint must be access_token or refresh_token.")
        }
        guard try state.isLive(request, at: now) else { return }
        let client = try client(of: fields)
        let events = try step { (state) throws(Refusal) in try state.revoke(request, for: client.id, at: now) }
        try await saveAndNotify(events)
    }
}

/// The token that a client presents at `/auth/revoke` beside its secret.
struct RevocationRequest: Sendable {
    enum Hint: String, Sendable {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }

    let token: String
    /// The word that the client sent. It need not be a ``Hint``.
    let hint: String?

    init(_ fields: FormFields) throws(Refusal) {
        guard let token = fields["token"] else { throw Refusal(.invalidRequest, "token is missing.") }
        self.token = token
        hint = fields["token_type_hint"]
    }

    var hasKnownHint: Bool { hint.map { Hint(rawValue: $0) != nil } ?? true }
}
