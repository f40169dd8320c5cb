/// What SwiftUI's button can look like; see ``ASAuthorizationAppleIDButton`` for why there is no button.
public enum SignInWithAppleButton {
    /// What the button says.
    public struct Label: Hashable, Sendable {
        /// The same words as values of the other button.
        public let buttonType: ASAuthorizationAppleIDButton.ButtonType

        public static let signIn = Self(buttonType: .signIn)
        public static let `continue` = Self(buttonType: .continue)
        public static let signUp = Self(buttonType: .signUp)

        /// Apple's words, in English.
        public var title: String { buttonType.title }
    }

    /// How it is coloured.
    public struct Style: Hashable, Sendable {
        /// The same colours as values of the other button.
        public let buttonStyle: ASAuthorizationAppleIDButton.Style

        public static let black = Self(buttonStyle: .black)
        public static let white = Self(buttonStyle: .white)
        public static let whiteOutline = Self(buttonStyle: .whiteOutline)
    }
}
