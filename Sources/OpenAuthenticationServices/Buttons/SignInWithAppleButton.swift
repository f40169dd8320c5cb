/// SwiftUI's button. Nothing here draws it: code that draws one takes title and style from the types in it.
///
/// A program cannot make one. A unit test can, with AuthenticationServicesTesting, and presses it there.
public struct SignInWithAppleButton {
    package let label: Label
    package var chosenStyle: Style?
    package let onRequest: (ASAuthorizationAppleIDRequest) -> Void
    package let onCompletion: (Result<ASAuthorization, any Error>) -> Void

    package init(
        label: Label, onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
        onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
    ) {
        self.label = label
        self.onRequest = onRequest
        self.onCompletion = onCompletion
    }

    /// The words on the button.
    public struct Label: Hashable, Sendable {
        /// These words as a value of ``ASAuthorizationAppleIDButton``.
        public let buttonType: ASAuthorizationAppleIDButton.ButtonType

        /// "Sign in with Apple".
        public static let signIn = Self(buttonType: .signIn)
        /// "Continue with Apple".
        public static let `continue` = Self(buttonType: .continue)
        /// "Sign up with Apple".
        public static let signUp = Self(buttonType: .signUp)

        /// Apple's words, in English.
        public var title: String { buttonType.title }
    }

    /// The colours of the button.
    public struct Style: Hashable, Sendable {
        /// These colours as a value of ``ASAuthorizationAppleIDButton``.
        public let buttonStyle: ASAuthorizationAppleIDButton.Style

        /// White words on black.
        public static let black = Self(buttonStyle: .black)
        /// Black words on white.
        public static let white = Self(buttonStyle: .white)
        /// Black words on white, with an outline.
        public static let whiteOutline = Self(buttonStyle: .whiteOutline)
    }
}
