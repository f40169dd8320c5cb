public import Foundation

/// Apple's button. Nothing here draws it: code that draws one takes title and style from the types in it.
///
/// A program cannot make one. A unit test can, with AuthenticationServicesTesting, and presses it there.
@MainActor
open class ASAuthorizationAppleIDButton {
    package let buttonType: ButtonType
    package let buttonStyle: Style
    package var actions: [() -> Void] = []

    /// The radius of the corners, in points. Kept, and not used.
    open var cornerRadius: CGFloat = 0

    package init(buttonType: ButtonType, buttonStyle: Style) {
        self.buttonType = buttonType
        self.buttonStyle = buttonStyle
    }

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
