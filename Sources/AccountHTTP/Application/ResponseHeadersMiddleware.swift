import AccountService
import HTTPTypes
import Hummingbird

/// What every answer carries, pages and JSON, good and bad.
struct ResponseHeadersMiddleware: RouterMiddleware {
    private let headers: HTTPFields

    /// - Parameter publicURL: Says whether people reach the service over https. No request has a say in it.
    init(publicURL: PublicURL) {
        var headers: HTTPFields = [
            .xContentTypeOptions: "nosniff",
            // `no-referrer` would turn a form's Origin into `null`.
            .referrerPolicy: "same-origin",
        ]
        // A browser keeps the rule for the host, whatever the port: on localhost it would lock out all that somebody
        // serves there without TLS.
        if publicURL.usesTLS, !publicURL.isLoopback {
            headers[.strictTransportSecurity] = "max-age=31536000"
        }
        self.headers = headers
    }

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers.append(contentsOf: headers)
        // Of two policies browsers obey both, so a page's own takes the place of the standard one.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = ContentSecurityPolicy.standard.text
        }
        response.headers[.requestID] = context.requestID
        // Nearly everything here is personal or changes with the cookie, so a route must ask for being cached.
        if response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "no-store"
        }
        // Hummingbird does this for routes, but not for the answer to an unmatched request.
        return request.method == .head ? response.createHeadResponse() : response
    }
}

extension HTTPField.Name {
    /// By which the log knows the request.
    static var requestID: Self { requestIDName }
    static var referrerPolicy: Self { referrerPolicyName }
    static var secFetchSite: Self { secFetchSiteName }
    /// Sends a page's browser on after some seconds; HTML's `<meta http-equiv="refresh">` as a header.
    static var refresh: Self { refreshName }
    static var forwardedFor: Self { forwardedForName }
}

// A field name is checked when it is made; these are valid tokens of RFC 9110.
private let requestIDName = HTTPField.Name("X-Request-ID")!
private let referrerPolicyName = HTTPField.Name("Referrer-Policy")!
private let secFetchSiteName = HTTPField.Name("Sec-Fetch-Site")!
private let refreshName = HTTPField.Name("Refresh")!
private let forwardedForName = HTTPField.Name("X-Forwarded-For")!
