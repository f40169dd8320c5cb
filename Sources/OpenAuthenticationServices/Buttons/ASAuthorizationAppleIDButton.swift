/// The looks of Apple's button. The button itself is a view, and there are no views here: code that draws one takes
/// title and style from these values.
public enum ASAuthorizationAppleIDButton {
    /// The words on the button.
    public enum ButtonType: Int, CaseIterable, Sendable {
        /// "Sign in with Apple".
        case signIn = 0
        /// "Continue with Apple".
        case `continue` = 1
        /// "Sign up with Apple".
        case signUp = 2

        /// The usual words, those of ``signIn``.
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

    /// The colours of the button.
    public enum Style: Int, CaseIterable, Sendable {
        /// Black words on white.
        case white = 0
        /// An outline for white backgrounds.
        case whiteOutline = 1
        /// White words on black.
        case black = 2
    }
}
