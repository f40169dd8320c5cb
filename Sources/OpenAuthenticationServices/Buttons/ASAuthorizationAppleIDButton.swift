/// What Apple's button can look like. The button itself is a view, and there are no views here: whoever draws one takes
/// title and style from these values.
public enum ASAuthorizationAppleIDButton {
    /// What the button says.
    public enum ButtonType: Int, CaseIterable, Sendable {
        case signIn = 0
        case `continue` = 1
        case signUp = 2

        public static let `default` = Self.signIn

        /// Apple's words, in English.
        public var title: String {
            switch self {
            case .signIn: "Sign in with Apple"
            case .continue: "Continue with Apple"
            case .signUp: "Sign up with Apple"
            }
        }
    }

    /// How it is coloured.
    public enum Style: Int, CaseIterable, Sendable {
        case white = 0
        /// For white backgrounds.
        case whiteOutline = 1
        case black = 2
    }
}
