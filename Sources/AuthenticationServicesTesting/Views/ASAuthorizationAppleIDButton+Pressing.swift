public import OpenAuthenticationServices

extension ASAuthorizationAppleIDButton {
    /// Makes a button with Apple's initializer. It has no picture: a unit test reads what it says, and presses it.
    ///
    /// ```swift
    /// let button = ASAuthorizationAppleIDButton(type: .continue, style: .whiteOutline)
    /// button.addAction { model.signIn() }      // UIKit's needs a selector, or a UIAction
    /// button.press()
    /// ```
    public convenience init(
        authorizationButtonType type: ButtonType, authorizationButtonStyle style: Style
    ) {
        self.init(buttonType: type, buttonStyle: style)
    }

    /// Makes a button of a type and a style.
    public convenience init(type: ButtonType, style: Style) {
        self.init(buttonType: type, buttonStyle: style)
    }

    /// Makes a black button that says "Sign in with Apple", as Apple's is by default.
    public convenience init() {
        self.init(buttonType: .default, buttonStyle: .black)
    }

    /// The words on the button, in English.
    public var title: String { buttonType.title }

    /// The colours of the button.
    public var style: Style { buttonStyle }

    /// Adds something to do when the button is pressed.
    public func addAction(_ action: @escaping () -> Void) {
        actions.append(action)
    }

    /// Presses the button: runs its actions in the order in which they were added.
    public func press() {
        for action in actions { action() }
    }
}
