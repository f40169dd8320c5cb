import AccountAPI

/// What a page says to a person when something did not work.
struct FailureText {
    let heading: String
    let paragraphs: [String]
    let action: String

    static let cancelled = FailureText(
        heading: "Sign-in cancelled", paragraphs: ["You are not signed in, and nothing was shared."])

    private init(heading: String, paragraphs: [String], action: String = "Try again") {
        self.heading = heading
        self.paragraphs = paragraphs
        self.action = action
    }

    /// - Parameter isPlainLoopback: Whether the service is reached as http on the person's own machine.
    init(_ code: ErrorCode, isPlainLoopback: Bool) {
        switch code {
        case .notFound:
            self.init(
                heading: "Page not found", paragraphs: ["There is nothing at this address."],
                action: "Go to the first page")
        case .crossSiteRequest:
            self.init(
                heading: "That came from somewhere else",
                paragraphs: ["For your safety, forms are taken from this site’s own pages only."],
                action: "Go to the first page")
        case .attemptUnknown, .attemptExpired:
            self.init(
                heading: "This sign-in is over",
                paragraphs: ["It was finished already, or it began more than ten minutes ago."])
        case .browserMismatch:
            self.init(
                heading: "Another browser began this",
                paragraphs: ["A sign-in must end in the browser in which it began."])
        case .browserCookieMissing:
            self.init(heading: "Cookies are blocked", paragraphs: Self.cookieAdvice(isPlainLoopback))
        case .keysUnavailable, .appleUnavailable, .appleMalformedAnswer:
            self.init(
                heading: "Apple can’t be reached",
                paragraphs: ["You are not signed in. Try again in a few minutes."])
        case .internal, .configuration, .appleConfiguration, .unavailable:
            self.init(
                heading: "This is our fault",
                paragraphs: ["Something does not work here, and you did nothing wrong. Try again in a few minutes."])
        case .invalidRequest, .malformedForm, .malformedJSON, .badRequest, .methodNotAllowed, .requestTimeout,
            .bodyTooLarge, .uriTooLong, .unsupportedMediaType:
            self.init(
                heading: "That request can’t be read", paragraphs: ["Something in it is missing or malformed."],
                action: "Go to the first page")
        default:
            self.init(
                heading: "Sign-in didn’t work", paragraphs: ["What came back from Apple could not be accepted."])
        }
    }

    private static func cookieAdvice(_ isPlainLoopback: Bool) -> [String] {
        let problem = "Your browser came back from Apple without the cookie that this site gave it."
        guard isPlainLoopback else {
            return [problem, "Allow cookies for this site, then try again."]
        }
        return [
            problem,
            "Safari drops secure cookies on http://localhost. Use another browser, or start with “siwa demo --tls”.",
            "In any other browser, allow cookies for this site and try again.",
        ]
    }
}
