import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Keeps the control calls for whoever runs the emulator.
///
/// They hand out private keys and sign in as anybody, so the pages that a developer's browser has open must not reach
/// them: a name that was re-bound to this machine is refused by its `Host`, other sites by what the browser says of
/// them.
struct ControlGuard: RouterMiddleware {
    typealias Context = EmulatorContext

    let authority: Authority
    /// Whether the server listens where other machines reach it. Then the token is the only way in.
    let isExposed: Bool

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        if authority.configuration.controlToken != nil || isExposed {
            try checkToken(request)
        } else {
            try checkHost(request)
        }
        guard !request.isForeign(to: authority.portal.baseURL) else {
            throw Refusal(.forbidden, "The control calls are closed to other sites.")
        }
        if request.method == .post, request.mediaType != "application/json" {
            throw Refusal(.unsupportedMediaType, "Content-Type must be application/json.")
        }
        return try await next(request, context)
    }

    private func checkToken(_ request: Request) throws(Refusal) {
        guard let expected = authority.configuration.controlToken else {
            throw Refusal(
                .forbidden, "Beyond loopback the control calls are closed, because no control token is configured.")
        }
        guard let given = request.credentials("bearer"), SecretText.areEqual(given, expected) else {
            var refusal = Refusal(.unauthorized, "Send the control token as Authorization: Bearer.")
            refusal.headers[.wwwAuthenticate] = "Bearer"
            throw refusal
        }
    }

    private func checkHost(_ request: Request) throws(Refusal) {
        guard request.isAddressedToLoopback else {
            throw Refusal(
                .forbidden, "Without a control token the control calls answer at a loopback address only.")
        }
    }
}
