import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Keeps the control calls for whoever runs the emulator.
///
/// They hand out private keys and sign in as anybody. A control token, where one is configured, decides who gets in.
/// Without one this machine alone gets in (``LocalAccess``). In both cases the pages that a developer's browser has open
/// get nothing: other sites are refused by what the browser says of them.
struct ControlGuard: RouterMiddleware {
    typealias Context = EmulatorContext

    let authority: Authority
    let access: LocalAccess

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        if let token = authority.configuration.controlToken {
            try checkToken(request, token)
        } else if let objection = access.objection(to: request, from: context.peer) {
            throw Refusal(
                .forbidden,
                objection + " Set SIWA_EMULATE_CONTROL_TOKEN to a text of 16 characters or more, and send it as "
                    + "Authorization: Bearer.")
        }
        guard !request.isForeign(to: authority.portal.baseURL) else {
            throw Refusal(.forbidden, "The control calls are closed to other sites.")
        }
        if request.method == .post, request.mediaType != "application/json" {
            throw Refusal(.unsupportedMediaType, "Content-Type must be application/json.")
        }
        return try await next(request, context)
    }

    private func checkToken(_ request: Request, _ expected: String) throws(Refusal) {
        guard let given = request.credentials("bearer"), SecretText.areEqual(given, expected) else {
            var refusal = Refusal(.unauthorized, "Send the control token as Authorization: Bearer.")
            refusal.headers[.wwwAuthenticate] = "Bearer"
            throw refusal
        }
    }
}
