/// How Apple's button looks on the sign-in page.
///
/// Apple's guidelines have three looks and three titles, and ask for black or outlined on light ground and white on
/// dark. So the look also decides the ground of the pages.
public struct AppleButton: Hashable, Sendable {
    /// The look, with its place on light or dark ground.
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

    /// The words on it.
    public enum Title: String, Hashable, Sendable, CaseIterable {
        case signIn = "sign-in"
        case signUp = "sign-up"
        case `continue`

        /// As Apple writes it.
        public var text: String {
            switch self {
            case .signIn: "Sign in with Apple"
            case .signUp: "Sign up with Apple"
            case .continue: "Continue with Apple"
            }
        }
    }

    public var style: Style
    public var title: Title
    /// In pixels; a value outside 0 to 24 (a pill: the button is 48 high) is brought inside.
    public var cornerRadius: Int

    public init(style: Style = .automatic, title: Title = .signIn, cornerRadius: Int = 12) {
        self.style = style
        self.title = title
        self.cornerRadius = cornerRadius
    }
}
