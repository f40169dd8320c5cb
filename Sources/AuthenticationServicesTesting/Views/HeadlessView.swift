public import OpenAuthenticationServices

/// A view without a screen: what a view controller needs of one to show Apple's button and to name its window.
///
/// Give it the place of `UIView` or `UIStackView` in code under test.
@MainActor
public final class HeadlessView {
    /// A window that stands for none.
    public let window: ASPresentationAnchor? = ASPresentationAnchor()

    /// The buttons that were added, in order.
    public private(set) var buttons: [ASAuthorizationAppleIDButton] = []

    /// Makes an empty view.
    public init() {}

    /// Adds a button, as `UIView` does.
    public func addSubview(_ button: ASAuthorizationAppleIDButton) {
        buttons.append(button)
    }

    /// Adds a button, as `UIStackView` does.
    public func addArrangedSubview(_ button: ASAuthorizationAppleIDButton) {
        buttons.append(button)
    }
}
