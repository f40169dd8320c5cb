import AccountService
import HTTPTypes
import Hummingbird
import OpenIDConnect

/// The pictures of providers that the service has. Each file says what it stands for.
package enum ProviderMarks {
    package static let names = ["facebook", "google", "microsoft"]
}

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
    /// The path of the picture; nil for a provider whose mark is not among the pictures.
    let mark: String?

    init(
        _ provider: ProviderConfiguration, title: AppleButton.Title, returnPath: ReturnPath = .account,
        mark: String?
    ) {
        self.mark = mark
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
            .map { ProviderButtonPart($0, title: title, returnPath: returnPath, mark: markPath(of: $0)) }
    }

    func markPath(ofProvider id: String) -> String? {
        providers.first { $0.id.rawValue == id }.flatMap(markPath(of:))
    }

    private func markPath(of provider: ProviderConfiguration) -> String? {
        provider.button.mark.flatMap { marks[$0]?.path }
    }

    /// The answer to a form that leads to Apple, or to another provider.
    ///
    /// For a provider it is a page that leads on by itself. A redirect would not do: browsers apply `form-action` to the
    /// redirects of a form, and nobody knows all hosts to which a provider redirects.
    func onward(to beginning: SignInBeginning) -> Response {
        guard let id = beginning.provider else { return Response(to: beginning) }
        let name = name(ofProvider: id)
        return Response(
            headers: [.setCookie: beginning.cookie, .refresh: "0; url=\(beginning.location)"],
            page: done(
                heading: "Continuing to \(name)", ["Sign in there, and you come back."],
                action: FailureText.Action(title: "Continue with \(name)", path: beginning.location)))
    }

    /// The id, if it is the id of a provider with which people can sign in in a browser.
    func knownProvider(_ id: String) -> String? {
        providers.contains { $0.id.rawValue == id && $0.credential != nil } ? id : nil
    }

    /// The name of a provider, as people know it; its id if it is configured no more.
    func name(ofProvider id: String) -> String {
        providers.first { $0.id.rawValue == id }?.button.name ?? id
    }
}
