import AppleIDTypes
import HTTPTypes
import Hummingbird

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps the pages on which people change things for whoever runs the emulator.
///
/// They do what control calls do, and so have the same borders, in a browser's terms. Where a control token is
/// configured, the browser asks for it, as the password of HTTP Basic. Without one this machine alone gets in
/// (``LocalAccess``). In both cases a form must come from its own page.
struct PageGuard: RouterMiddleware {
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
                objection + " Set SIWA_EMULATE_CONTROL_TOKEN to a text of 16 characters or more, and give it as the "
                    + "password when the browser asks.")
        }
        // A cookie or a password that the browser sends by itself proves nothing about who wrote the form.
        guard request.method != .post || !request.isForeign(to: authority.portal.baseURL) else {
            throw Refusal(.forbidden, "This form can be sent from its own page only.")
        }
        return try await next(request, context)
    }

    private func checkToken(_ request: Request, _ token: String) throws(Refusal) {
        guard let given = Self.password(request), SecretText.areEqual(given, token) else {
            var refusal = Refusal(
                .unauthorized, "Enter the control token of the emulator as the password, with any user name.")
            refusal.headers[.wwwAuthenticate] = "Basic realm=\"siwa emulator, not Apple\", charset=\"UTF-8\""
            throw refusal
        }
    }

    /// The password of `Authorization: Basic` (RFC 7617).
    private static func password(_ request: Request) -> String? {
        guard let credentials = request.credentials("basic"), let data = Data(base64Encoded: credentials),
            let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return String(text[text.index(after: colon)...])
    }
}
