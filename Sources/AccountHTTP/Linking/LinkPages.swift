import AccountService
import AppleIDTypes

/// The words before a fresh proof.
private func firstWords(_ way: WayToProve) -> String {
    way == .apple ? "Sign in again with Apple first." : "Sign in again first."
}

/// The page of the ways in, as its template shows it.
private struct LinksPage {
    struct Notice {
        let title: String
        let text: String
    }

    struct Row {
        let id: String
        let name: String
        let address: EmailText?
        let isHidden: Bool
        let isCurrent: Bool
        let added: CalendarDay
        let used: CalendarDay
        let isRemovable: Bool
    }

    struct Agreement {
        let version: String
        let problem: String?
        let hint: String?
        var isChecked = false
    }

    struct ConsentPart {
        let hint: String
        let version: String
        let language: String
        let paragraphs: [String]

        /// - Parameter isForAddressesThatAreTold: whether an identity that tells its address needs the consent. Then the
        ///   account hides its own.
        init(_ text: ConsentPageText, isForAddressesThatAreTold: Bool) {
            hint =
                isForAddressesThatAreTold
                ? "You hid your address at Apple. With another way to sign in we may know who you are."
                : "We know how to reach you. If you hide your address at Apple, we then know who is behind it."
            version = text.version
            language = text.language
            paragraphs = text.paragraphs
        }
    }

    struct Apple {
        let button: PageButton
        let agreement: Agreement?
    }

    struct Provider {
        let id: String
        let title: String
        let agreement: Agreement?
    }

    struct Email {
        let typed: String
        let emailProblem: String?
        let newPassword: NewPasswordField
        let agreement: Agreement?
    }

    let frame: PageFrame
    let outcome: String?
    let notice: Notice?
    let rows: [Row]
    let first: String
    let proof: ProofPart?
    let consent: ConsentPart?
    let apple: Apple?
    let providers: [Provider]
    let email: Email?
}

extension LinkPageController.Outcome {
    /// The words about what was done; nil if nothing was.
    fileprivate var words: String? {
        switch self {
        case .added: "You can sign in with it from now on."
        case .present: "You can sign in with it already. Nothing was added."
        case .sent: "We have sent a link to the address. Open it in this browser."
        case .removed: "It no longer signs in to this account."
        case .consent, .late, .addressConsent, .another: nil
        }
    }
}

extension PageRenderer {
    /// The name of a way in, for people.
    func title(of identity: LinkedIdentity) -> String {
        if identity.isByApple { return "Sign in with Apple" }
        guard identity.isByEmail else { return "Sign in with \(name(ofProvider: identity.provider))" }
        return identity.hasPassword ? "Email address and password" : "Link by mail"
    }

    /// The page of the ways in to an account.
    /// - Parameters:
    ///   - way: The way of the proof that has to come first. Nil after a recent sign-in.
    ///   - rules: The rules for the password of a new address. Nil if no address can be added.
    ///   - needsConsent: Whether a new identity needs consent to the text: one that hides its address, and one that tells
    ///     it.
    func links(
        _ list: LinkList, _ form: LinkForm, way: WayToProve?, rules: PasswordRules?,
        needsConsent: (hidden: Bool, told: Bool), text: ConsentTexts.Text
    ) -> String {
        let shown = ConsentPageText(text)
        let isFresh = way == nil
        return render(
            "links",
            LinksPage(
                frame: frame(title: "Ways in"), outcome: form.outcome?.words, notice: linkNotice(form),
                rows: list.identities.map { linkRow($0, in: list) },
                first: way.map(firstWords) ?? "",
                proof: way.map { proof($0, returnPath: LinkPageController.path) },
                consent: isFresh && (needsConsent.hidden || needsConsent.told)
                    ? LinksPage.ConsentPart(shown, isForAddressesThatAreTold: needsConsent.told) : nil,
                apple: isFresh && hasWebSignIn ? appleLink(form, needsConsent: needsConsent, shown) : nil,
                providers: isFresh ? providerLinks(form, needsConsent: needsConsent.told, shown) : [],
                email: isFresh ? rules.map { emailLink(form, rules: $0, needsConsent: needsConsent.told, shown) } : nil)
        )
    }

    private func linkRow(_ identity: LinkedIdentity, in list: LinkList) -> LinksPage.Row {
        LinksPage.Row(
            id: identity.id.rawValue, name: title(of: identity), address: identity.address.map { EmailText($0) },
            isHidden: identity.hidesAddress,
            isCurrent: identity.id == list.current, added: CalendarDay(of: identity.addedAt),
            used: CalendarDay(of: identity.lastSignInAt), isRemovable: list.removable.contains(identity.id))
    }

    /// The words about a form that has changed nothing.
    private func linkNotice(_ form: LinkForm) -> LinksPage.Notice? {
        switch form.outcome {
        case .consent:
            LinksPage.Notice(
                title: "Nothing was changed.",
                text: "We need your consent before we add "
                    + (form.provider.map { "your \(name(ofProvider: $0)) account." } ?? "that Apple Account."))
        case .late:
            LinksPage.Notice(
                title: "That took too long.", text: "Nothing was changed. Prove once more that it is you.")
        case .addressConsent:
            LinksPage.Notice(
                title: "The address was not added.",
                text: "We need your consent, and then a new link. Agree to the text, and add the address again.")
        case .another:
            LinksPage.Notice(
                title: "The address was not added.",
                text: "Your account has an email address to sign in with already. Remove that one first.")
        case .added, .present, .sent, .removed, nil: nil
        }
    }

    private func appleLink(
        _ form: LinkForm, needsConsent: (hidden: Bool, told: Bool), _ text: ConsentPageText
    ) -> LinksPage.Apple {
        let hint: String? =
            switch needsConsent {
            case (hidden: true, told: true): nil
            case (hidden: _, told: true): "If that Apple Account hides your address, too, you don’t need to agree."
            default: "If you share your address at Apple, you don’t need to agree."
            }
        return LinksPage.Apple(
            button: button(.continue),
            agreement: needsConsent.hidden || needsConsent.told
                ? LinksPage.Agreement(
                    version: text.version,
                    problem: form.outcome == .consent && form.provider == nil
                        ? "To add that Apple Account, agree to the text above." : nil,
                    hint: hint) : nil)
    }

    /// - Parameter needsConsent: whether an identity that tells its address needs consent. A provider tells who the person is.
    private func providerLinks(
        _ form: LinkForm, needsConsent: Bool, _ text: ConsentPageText
    ) -> [LinksPage.Provider] {
        providerButtons(.continue).map { other in
            let isRefused = form.outcome == .consent && form.provider == other.id
            let problem = "To add your \(other.name) account, agree to the text above."
            return LinksPage.Provider(
                id: other.id, title: other.title,
                agreement: needsConsent
                    ? LinksPage.Agreement(version: text.version, problem: isRefused ? problem : nil, hint: nil) : nil)
        }
    }

    private func emailLink(
        _ form: LinkForm, rules: PasswordRules, needsConsent: Bool, _ text: ConsentPageText
    ) -> LinksPage.Email {
        LinksPage.Email(
            typed: form.typed.shownAgain, emailProblem: form.mistake?.email,
            newPassword: NewPasswordField(rules, label: "Password", mistake: form.mistake),
            agreement: needsConsent
                ? LinksPage.Agreement(
                    version: text.version,
                    problem: form.lacksConsentToAddress ? "To add an address, agree to the text above." : nil,
                    hint: nil, isChecked: form.agreedVersion == text.version) : nil)
    }

    /// Asks whether a way in is removed.
    /// - Parameters:
    ///   - isCurrent: Whether the person has signed in with it.
    ///   - way: The way of the proof that has to come first. Nil after a recent sign-in.
    func linkQuestion(_ identity: LinkedIdentity, isCurrent: Bool, way: WayToProve?) -> String {
        struct Page {
            let frame: PageFrame
            let id: String
            let name: String
            let address: EmailText?
            let isCurrent: Bool
            let isByApple: Bool
            let isByEmail: Bool
            let first: String
            let proof: ProofPart?
        }
        return render(
            "link-question",
            Page(
                frame: frame(title: "Remove a way to sign in"), id: identity.id.rawValue, name: title(of: identity),
                address: identity.address.map { EmailText($0) }, isCurrent: isCurrent, isByApple: identity.isByApple,
                isByEmail: identity.isByEmail,
                first: way.map(firstWords) ?? "",
                proof: way.map {
                    proof($0, returnPath: "\(LinkPageController.path)/\(identity.id.rawValue)/remove")
                }))
    }

    /// Tells that a way in is gone, and how the person removes the app at Apple.
    func removedLink(isSignedOut: Bool) -> String {
        done(
            heading: "It is removed",
            [
                "It no longer signs in to your account.",
                "We hold nothing with which we could tell Apple. So Apple may go on listing \(appName) among the apps "
                    + "that use your Apple Account. You can remove it there: in the settings of your iPhone under your "
                    + "name, “Sign in with Apple”, or at account.apple.com.",
            ], action: isSignedOut ? .startPage : .account)
    }

    /// The answer to Apple's form, or to a provider's, if the identity opens another account: asks whether the person
    /// wants to go there.
    func linkConflict(_ conflict: CredentialConflict) -> String {
        struct Page {
            let frame: PageFrame
            let account: String
            let handle: String
        }
        return render(
            "link-conflict",
            Page(
                frame: frame(title: "Another account"),
                account: conflict.provider.map { "\(name(ofProvider: $0)) account" } ?? "Apple Account",
                handle: conflict.handle.rawValue))
    }

    /// Asks whether an address is added to the account of the browser's session.
    func linkAddress(_ secret: LinkSecret, _ link: EmailLink) -> String {
        struct Page {
            let frame: PageFrame
            let token: String
            let email: EmailText
        }
        return render(
            "link-address",
            Page(frame: frame(title: "Add this address"), token: secret.rawValue, email: EmailText(link.address)))
    }

    /// Tells that the link is of another session: of an app, or of a browser that is signed in.
    func linkElsewhere() -> String {
        done(
            heading: "Open this link where you asked for it",
            [
                "You asked in an app or in another browser to sign in with this address, too. Open the link there, "
                    + "while you are signed in.",
                "Nothing was changed. If you didn’t ask for it, close this page.",
            ], action: .startPage)
    }
}
