import AccountService
import AppleIDTypes

/// The words before a fresh proof.
private func firstWords(_ way: WayToProve) -> String {
    way == .apple ? "Sign in again with Apple first." : "Sign in again first."
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
        struct Page {
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
        let rows = list.identities.map { identity in
            Row(
                id: identity.id.rawValue, name: title(of: identity), address: identity.address.map { EmailText($0) },
                isHidden: identity.hidesAddress,
                isCurrent: identity.id == list.current, added: CalendarDay(of: identity.addedAt),
                used: CalendarDay(of: identity.lastSignInAt), isRemovable: list.removable.contains(identity.id))
        }
        let shown = ConsentPageText(text)
        let asksApple = needsConsent.hidden || needsConsent.told
        let isFresh = way == nil
        var apple: Apple?
        if isFresh, hasWebSignIn {
            let hint: String? =
                switch needsConsent {
                case (hidden: true, told: true): nil
                case (hidden: _, told: true): "If that Apple Account hides your address, too, you don’t need to agree."
                default: "If you share your address at Apple, you don’t need to agree."
                }
            apple = Apple(
                button: button(.continue),
                agreement: asksApple
                    ? Agreement(
                        version: shown.version,
                        problem: form.outcome == .consent && form.provider == nil
                            ? "To add that Apple Account, agree to the text above." : nil,
                        hint: hint) : nil)
        }
        // A provider tells who the person is.
        let others = isFresh ? providerButtons(.continue) : []
        let providers = others.map { other in
            let isRefused = form.outcome == .consent && form.provider == other.id
            let problem = "To add your \(other.name) account, agree to the text above."
            return Provider(
                id: other.id, title: other.title,
                agreement: needsConsent.told
                    ? Agreement(version: shown.version, problem: isRefused ? problem : nil, hint: nil) : nil)
        }
        var email: Email?
        if isFresh, let rules {
            email = Email(
                typed: form.typed.shownAgain, emailProblem: form.mistake?.email,
                newPassword: NewPasswordField(rules, label: "Password", mistake: form.mistake),
                agreement: needsConsent.told
                    ? Agreement(
                        version: shown.version,
                        problem: form.lacksConsentToAddress ? "To add an address, agree to the text above." : nil,
                        hint: nil, isChecked: form.agreedVersion == shown.version) : nil)
        }
        let outcome: String? =
            switch form.outcome {
            case .added: "You can sign in with it from now on."
            case .present: "You can sign in with it already. Nothing was added."
            case .sent: "We have sent a link to the address. Open it in this browser."
            case .removed: "It no longer signs in to this account."
            case .consent, .late, .addressConsent, .another, nil: nil
            }
        let notice: Notice? =
            switch form.outcome {
            case .consent:
                Notice(
                    title: "Nothing was changed.",
                    text: "We need your consent before we add "
                        + (form.provider.map { "your \(name(ofProvider: $0)) account." } ?? "that Apple Account."))
            case .late:
                Notice(title: "That took too long.", text: "Nothing was changed. Prove once more that it is you.")
            case .addressConsent:
                Notice(
                    title: "The address was not added.",
                    text: "We need your consent, and then a new link. Agree to the text, and add the address again.")
            case .another:
                Notice(
                    title: "The address was not added.",
                    text: "Your account has an email address to sign in with already. Remove that one first.")
            case .added, .present, .sent, .removed, nil: nil
            }
        return render(
            "links",
            Page(
                frame: frame(title: "Ways in"), outcome: outcome, notice: notice, rows: rows,
                first: way.map(firstWords) ?? "",
                proof: way.map { proof($0, returnPath: LinkPageController.path) },
                consent: isFresh && asksApple
                    ? ConsentPart(
                        hint: needsConsent.told
                            ? "You hid your address at Apple. With another way to sign in we may know who you are."
                            : "We know how to reach you. If you hide your address at Apple, we then know who is behind "
                                + "it.",
                        version: shown.version, language: shown.language, paragraphs: shown.paragraphs) : nil,
                apple: apple, providers: providers, email: email))
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
