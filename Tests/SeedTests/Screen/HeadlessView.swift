import AuthenticationServices

/// What a view controller's snippets ask of its view, where there is no screen.
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
