/// What browsers may load for a page and where its forms may lead.
struct ContentSecurityPolicy {
    let text: String

    /// Scripts are not on the list, so none runs. Forms post to this site only; Apple is reached by a link.
    static let standard = Self(formAction: "'self'")

    /// For a page whose form leads on to Apple: Chromium applies `form-action` to the redirects of a form too.
    static func formsLead(to origins: [String]) -> Self {
        Self(formAction: (["'self'"] + origins).joined(separator: " "))
    }

    private init(formAction: String) {
        text =
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action \(formAction); "
            + "frame-ancestors 'none'; base-uri 'none'"
    }
}
