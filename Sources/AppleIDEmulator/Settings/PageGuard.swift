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
/// They do what control calls do, and so have the same borders, in a browser's terms. On loopback: the `Host` must be a
/// loopback address, and a form must come from its own page. Beyond, or where a control token is configured: the
/// browser asks for that token, as the password of HTTP Basic, and without a configured token the pages are closed.
struct PageGuard: RouterMiddleware {
    typealias Context = EmulatorContext

    let authority: Authority
    /// Whether the server listens where other machines reach it.
    let isExposed: Bool

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        if let token = authority.configuration.controlToken {
            try checkToken(request, token)
        } else if isExposed {
            throw Refusal(
                .forbidden, "Beyond loopback these pages are closed, because no control token is configured.")
        } else {
            guard request.isAddressedToLoopback else {
                throw Refusal(.forbidden, "Without a control token these pages answer at a loopback address only.")
            }
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
