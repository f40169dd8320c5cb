import AccountService
import OpenIDConnect

/// The button of a provider other than Apple, as templates draw it.
struct ProviderButtonPart: Sendable {
    /// The provider's id, for the path of a form.
    let id: String
    /// The provider's name, as people know it.
    let name: String
    /// The words on the button.
    let title: String
    /// The path that the button leads to.
    let path: String

    init(_ provider: ProviderConfiguration, title: AppleButton.Title, returnPath: ReturnPath = .account) {
        id = provider.id.rawValue
        name = provider.button.name
        self.title = title.text(for: provider.button.name)
        let path = "/sign-in/\(provider.id)"
        self.path = returnPath == .account ? path : returnPath.added(to: path)
    }
}

extension AppleButton.Title {
    /// The title of the button of another provider: as Apple's, so that all buttons of a page begin alike.
    func text(for name: String) -> String {
        switch self {
        case .signIn: "Sign in with \(name)"
        case .signUp: "Sign up with \(name)"
        case .continue: "Continue with \(name)"
        }
    }
}

extension PageRenderer {
    /// The buttons of the providers with which people can sign in in a browser.
    func providerButtons(_ title: AppleButton.Title, returnPath: ReturnPath = .account) -> [ProviderButtonPart] {
        providers.filter { $0.credential != nil }
            .map { ProviderButtonPart($0, title: title, returnPath: returnPath) }
    }

    /// The name of a provider, as people know it; its id if it is configured no more.
    func name(ofProvider id: String) -> String {
        providers.first { $0.id.rawValue == id }?.button.name ?? id
    }
}
