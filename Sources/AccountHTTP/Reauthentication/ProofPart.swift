import AccountService

/// The part of a page that asks for a fresh proof of who the person is, as templates show it.
struct ProofPart {
    /// The path of the page that the person comes back to.
    let returnPath: String
    /// Apple's button. Nil unless the person signs in with Apple.
    let button: PageButton?
    /// The button of another provider. Nil unless the person signs in with one.
    let provider: ProviderButtonPart?
    let asksPassword: Bool
    /// The address that the person signs in with, for programs that fill in passwords.
    let address: String?
    /// Whether the person may ask for a link in place of the password.
    let sendsLink: Bool
    /// The words for somebody who can't give the proof in a browser. Nil for everybody else.
    let obstacle: String?
    let problem: String?
}

extension PageRenderer {
    /// The part of a page that asks for a fresh proof in one of the ways of the account.
    /// - Parameter problem: The mistake in the password that the person typed.
    func proof(_ way: WayToProve, returnPath: String, problem: String? = nil) -> ProofPart {
        var address: String?
        var asksPassword = false
        switch way {
        case .password(let own): (address, asksPassword) = (own, true)
        case .link(let own): address = own
        case .apple, .provider, .none, .turnedOff: break
        }
        let obstacle: String? =
            switch way {
            case .none: "You can’t sign in with Apple on this website. Use the app."
            case .provider(let id) where provider(id) == nil:
                "You can’t sign in with \(name(ofProvider: id)) on this website."
            case .turnedOff:
                "You sign in with an email address, and this site no longer lets people sign in like that. Ask whoever "
                    + "runs it: they can give you your data, and delete your account."
            case .apple, .provider, .password, .link: nil
            }
        return ProofPart(
            returnPath: returnPath, button: way == .apple ? button(.continue) : nil,
            provider: way.provider.flatMap(provider), asksPassword: asksPassword,
            address: address, sendsLink: address != nil, obstacle: obstacle, problem: problem)
    }

    /// The button with which a person of a provider proves who they are; nil for one without sign-in in browsers.
    func provider(_ id: String) -> ProviderButtonPart? {
        providerButtons(.continue).first { $0.id == id }
    }

    /// The page that asks again who the person is, after a mistake in such a part of another page.
    func prove(_ way: WayToProve, returnPath: ReturnPath, problem: String?) -> String {
        struct Page {
            let frame: PageFrame
            let proof: ProofPart
        }
        return render(
            "prove",
            Page(
                frame: frame(title: "Is it you?"),
                proof: proof(way, returnPath: returnPath.rawValue, problem: problem)))
    }
}
