/// What browsers may load for a page and where its forms may lead.
struct ContentSecurityPolicy {
    let text: String

    /// No script is on the list, so none runs; ``scripts(_:ask:)`` is for the two pages that have some. Forms post to
    /// this site only; Apple is reached by a link.
    static let standard = Self(formAction: "'self'")

    /// For a page whose form leads on to Apple: Chromium applies `form-action` to the redirects of a form too.
    static func formsLead(to origins: [String]) -> Self {
        Self(formAction: (["'self'"] + origins).joined(separator: " "))
    }

    /// Apple has moved between these two hosts before, and browsers apply the policy to every redirect on the way.
    static func formsLead(toAppleOf configuration: AccountHTTPConfiguration) -> Self {
        formsLead(
            to: configuration.emulatorURL.map { [$0] } ?? ["https://appleid.apple.com", "https://account.apple.com"])
    }

    /// For a page with scripts: the scripts at these addresses run, and no others.
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
