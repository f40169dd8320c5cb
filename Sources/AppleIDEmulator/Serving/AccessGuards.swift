import AppleIDTypes
import HTTPTypes
import Hummingbird

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps the control calls for the person who runs the emulator.
///
/// They hand out private keys and sign in as anybody. A control token, where one is configured, decides who gets in.
/// Without one this machine alone gets in (``LocalAccess``). In both cases other sites that a developer's browser has
/// open get nothing: the browser's headers tell where a request comes from.
struct ControlGuard: RouterMiddleware {
    typealias Context = EmulatorContext

    let core: EmulatorCore
    let access: LocalAccess

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        if let token = core.configuration.controlToken {
            try checkToken(request, token)
        } else if let objection = access.objection(to: request, from: context.peer) {
            throw Refusal(
                .forbidden,
                objection + " Set SIWA_EMULATE_CONTROL_TOKEN to a text of 16 characters or more, and send it as "
                    + "Authorization: Bearer.")
        }
        guard !request.isForeign(to: core.portal.baseURL) else {
            throw Refusal(.forbidden, "The control calls are closed to other sites.")
        }
        if request.method == .post, request.mediaType != "application/json" {
            throw Refusal(.unsupportedMediaType, "Content-Type must be application/json.")
        }
        return try await next(request, context)
    }

    private func checkToken(_ request: Request, _ expected: String) throws(HTTPRefusal) {
        guard let given = request.credentials("bearer"), SecretText.areEqual(given, expected) else {
            var refusal = HTTPRefusal(.unauthorized, "Send the control token as Authorization: Bearer.")
            refusal.headers[.wwwAuthenticate] = "Bearer"
            throw refusal
        }
    }
}

/// Keeps the pages on which people change things for the person who runs the emulator.
///
/// They do what control calls do, so the same people get in. Where a control token is configured, the browser asks for
/// it, as the password of HTTP Basic. Without one this machine alone gets in (``LocalAccess``). In both cases a form must
/// come from its own page.
@available(siwaServer 1.0, *)
struct PageGuard: RouterMiddleware {
    typealias Context = EmulatorContext

    let core: EmulatorCore
    let access: LocalAccess

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        if let token = core.configuration.controlToken {
            try checkToken(request, token)
        } else if let objection = access.objection(to: request, from: context.peer) {
            throw Refusal(
                .forbidden,
                objection + " Set SIWA_EMULATE_CONTROL_TOKEN to a text of 16 characters or more, and give it as the "
                    + "password when the browser asks.")
        }
        // A cookie or a password that the browser sends by itself proves nothing about who wrote the form.
        guard request.method != .post || !request.isForeign(to: core.portal.baseURL) else {
            throw Refusal(.forbidden, "This form can be sent from its own page only.")
        }
        return try await next(request, context)
    }

    private func checkToken(_ request: Request, _ token: String) throws(HTTPRefusal) {
        guard let given = Self.password(request), SecretText.areEqual(given, token) else {
            var refusal = HTTPRefusal(
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

/// Serves the sheet under the emulator's own names only: the base URL's host, loopback names, and allowed hosts.
///
/// Otherwise a page whose name was re-bound to this machine could walk through the sheet in a developer's browser and
/// finish a sign-in as one of the made-up people.
struct SheetGuard: RouterMiddleware {
    typealias Context = EmulatorContext

    let core: EmulatorCore

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        let baseURL = core.portal.baseURL
        guard let host = request.head.authority.flatMap({ WebAddress.split($0) })?.host, isOwn(host, baseURL) else {
            throw Refusal(
                .forbidden,
                "The sheet is not served under this host. Open it at \(baseURL), or start the emulator with "
                    + "--allow-host and the host's name.")
        }
        return try await next(request, context)
    }

    private func isOwn(_ host: String, _ baseURL: String) -> Bool {
        WebAddress.isLoopback(host: host) || host == WebAddress(baseURL)?.host
            || core.configuration.allowedHosts.contains { $0.lowercased() == host }
    }
}
