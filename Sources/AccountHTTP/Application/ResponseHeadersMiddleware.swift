import AccountService
import HTTPTypes
import Hummingbird

/// Adds the headers that every response carries.
struct ResponseHeadersMiddleware: RouterMiddleware {
    private let headers: HTTPFields

    /// - Parameter publicURL: Says whether people reach the service over https. No request has a say in it.
    init(publicURL: PublicURL) {
        var headers: HTTPFields = [.xContentTypeOptions: "nosniff"]
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
        // `no-referrer` would turn a form's Origin into `null`. The second one names this site without the path.
        response.headers[.referrerPolicy] = Self.namesSecret(request, context) ? "strict-origin" : "same-origin"
        // Browsers obey both of two policies, so a page's own policy takes the place of the standard one.
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

    /// Whether the address of a page holds the token of a link from a mail, or leads back to such a page after the
    /// sign-in. Then no request that the page makes, not even to this site, carries the address.
    private static func namesSecret(_ request: Request, _ context: ServiceContext) -> Bool {
        if context.endpointPath?.hasSuffix("/{token}") ?? false { return true }
        guard request.uri.query != nil, let query = try? FormFields(queryOf: request, for: "return") else {
            return false
        }
        return query["return"]?.hasPrefix(ContactController.path) ?? false
    }
}

extension HTTPField.Name {
    /// The request's name in the log.
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

/// The Content-Security-Policy of a page: what a browser may load for it, and where its forms may lead.
struct ContentSecurityPolicy {
    let text: String

    /// No script is on the list, so none runs; ``scripts(_:ask:)`` is for the two pages that have some. Forms post to
    /// this site only; Apple is reached by a link.
    static let standard = Self(formAction: "'self'")

    /// The policy of a page whose form leads on to Apple. Chromium applies `form-action` to the redirects of a form too.
    static func formsLead(to origins: [String]) -> Self {
        Self(formAction: (["'self'"] + origins).joined(separator: " "))
    }

    /// Apple has moved between these two hosts before, and browsers apply the policy to every redirect on the way.
    static func formsLead(toAppleOf configuration: AccountHTTPConfiguration) -> Self {
        formsLead(
            to: configuration.emulatorURL.map { [$0] } ?? ["https://appleid.apple.com", "https://account.apple.com"])
    }

    /// The policy of a page with scripts. The scripts at these addresses run, and no others.
    /// - Parameter path: The one address of this site that the scripts may ask; nil for none.
    static func scripts(_ addresses: [String], ask path: String? = nil) -> Self {
        Self(
            formAction: "'self'",
            more: "script-src \(addresses.joined(separator: " ")); " + (path.map { "connect-src \($0); " } ?? ""))
    }

    private init(formAction: String, more: String = "") {
        text =
            "default-src 'none'; \(more)style-src 'self'; img-src 'self'; form-action \(formAction); "
            + "frame-ancestors 'none'; base-uri 'none'"
    }
}
