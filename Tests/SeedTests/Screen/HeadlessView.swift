import AuthenticationServices

/// The members of a view that a view controller's snippets ask for, without a screen.
@MainActor
final class HeadlessView {
    let window: ASPresentationAnchor? = ASPresentationAnchor()
    private(set) var buttons: [HeadlessButton] = []

    func addSubview(_ button: HeadlessButton) {
        buttons.append(button)
    }

    func addArrangedSubview(_ button: HeadlessButton) {
        buttons.append(button)
    }
}
