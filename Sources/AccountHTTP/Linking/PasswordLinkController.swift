import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// Adds an address and a password to the caller's account.
struct PasswordLinkController: Sendable {
    let feature: PasswordFeature
    let body: JSONBody
    let clients: ClientAddress

    /// Sends the address a link, which the session of the call alone can use.
    @Sendable func request(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(PasswordLinkRequest.self, from: request)
        try await feature.passwords.requestLink(
            in: context.session, email: input.email, password: Password(input.password),
            consent: input.consent.map { ConsentGiven(textVersion: $0.textVersion) },
            from: clients.caller(of: request, context))
        return try Response(status: .accepted, json: AcceptedAnswer())
    }

    @Sendable func finish(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(PasswordLinkFinishRequest.self, from: request)
        let linked = try await feature.passwords.finishLink(
            try LinkSecret(received: input.link), in: context.session, from: clients.caller(of: request, context))
        return try Response(json: LinkListAnswer(linked, current: context.session.session.identityID))
    }
}
