/// How Apple's button looks on the sign-in page.
///
/// Apple's guidelines have three looks and three titles, and ask for black or outlined on light ground and white on
/// dark. So the look also decides the ground of the pages.
public struct AppleButton: Hashable, Sendable {
    /// The look of the button, with the ground that it stands on.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// Black on a light page and white on a dark one, as the person's device prefers.
        case automatic
        /// Black; pages are always light.
        case black
        /// White; pages are always dark.
        case white
        /// White with a black outline; pages are always light.
        case outlined
    }

    /// The words on the button.
    public enum Title: String, Hashable, Sendable, CaseIterable {
        case signIn = "sign-in"
        case signUp = "sign-up"
        case `continue`

        /// The title in Apple's spelling.
        public var text: String {
            switch self {
            case .signIn: "Sign in with Apple"
            case .signUp: "Sign up with Apple"
            case .continue: "Continue with Apple"
            }
        }
    }

    /// The look of the button. It also decides whether pages are light or dark.
    public var style: Style
    /// The words on the button of the sign-in page.
    public var title: Title
    /// The radius of the corners in pixels, from 0 to 24. The button is 48 high, so 24 makes a pill. Other values are
    /// brought into the range.
    public var cornerRadius: Int

    /// Makes a button. Without arguments it is the one that Apple's guidelines show first.
    public init(style: Style = .automatic, title: Title = .signIn, cornerRadius: Int = 12) {
        self.style = style
        self.title = title
        self.cornerRadius = cornerRadius
    }
}

/// How the sign-in page uses Apple's script, where a browser runs it. Without the script the button is a link.
///
/// A script from Apple's host can do everything on the page that it stands on, so this is for an operator to decide; no
/// other page has one.
public enum SignInScript: String, Hashable, Sendable, CaseIterable {
    /// Apple's page comes in a window of its own, and the sign-in page stays until the end.
    case popup
    /// The browser leaves for Apple's page, as by the link.
    case redirect

    private static let path = "/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js"

    /// - Parameter emulatorURL: what stands in for Apple; nil when it is Apple itself.
    static func address(emulatorURL: String?) -> String {
        (emulatorURL ?? "https://appleid.cdn-apple.com") + path
    }
}
