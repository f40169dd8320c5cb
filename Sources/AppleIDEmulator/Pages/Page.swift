/// A page ready to be sent, with what the browser may do on it.
struct Page: Sendable {
    let html: String
    let contentSecurityPolicy: String

    /// What a page's forms and scripts may do.
    enum Powers: Sendable {
        /// Forms go to the emulator; no script.
        case forms
        /// Forms may end anywhere; no script. Browsers apply the rule for forms to every redirection that follows, and
        /// where a client sends the person after its callback (another host, an app's own scheme) is its affair.
        case formsThatLeave
        /// The same, and the emulator's script submits the form.
        case delivery
    }

    init(_ html: String, _ powers: Powers) {
        self.html = html
        var rules = ["default-src 'none'", "style-src 'self'", "img-src 'self'"]
        if powers == .delivery { rules.append("script-src 'self'") }
        if powers == .forms { rules.append("form-action 'self'") }
        rules += ["base-uri 'none'", "frame-ancestors 'none'"]
        contentSecurityPolicy = rules.joined(separator: "; ")
    }
}
