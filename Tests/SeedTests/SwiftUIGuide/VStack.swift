/// SwiftUI's stack of one thing, which is all that the guide puts into it.
@MainActor
struct VStack {
    let button: SignInWithAppleButton
    private(set) var style: SignInWithAppleButton.Style?

    init(content: () -> SignInWithAppleButton) {
        button = content()
    }

    func signInWithAppleButtonStyle(_ style: SignInWithAppleButton.Style) -> Self {
        var styled = self
        styled.style = style
        return styled
    }
}
