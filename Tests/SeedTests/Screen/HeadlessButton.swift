import AuthenticationServices

/// Apple's button without a picture: what it says, how it is coloured, and what happens when it is pressed.
@MainActor
final class HeadlessButton {
    let title: String
    let style: ASAuthorizationAppleIDButton.Style
    private var action: () -> Void = {}

    /// Apple's defaults.
    init(
        type: ASAuthorizationAppleIDButton.ButtonType = .default, style: ASAuthorizationAppleIDButton.Style = .black
    ) {
        title = type.title
        self.style = style
    }

    func addAction(_ action: @escaping () -> Void) {
        self.action = action
    }

    func press() {
        action()
    }
}
