import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// The page of a link in a mail that finishes a sign-up, signs in, or sets a new password.
///
/// Programs that check mails open every link, so a link alone changes nothing: the page asks, and its form acts.
struct EmailLinkPageController: Sendable {
    let feature: PasswordFeature
    let pages: PageRenderer
    let limits: HTTPLimits
    let callers: CallerReader

    @Sendable func ask(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let secret = try LinkSecret(pathOf: context)
        let link = try await feature.passwords.link(
            secret, browser: request.browserSecret, session: context.browserSession?.session)
        return Response(page: try page(secret, link))
    }

    @Sendable func finish(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let secret = try LinkSecret(pathOf: context)
        let form = try await FormFields(bodyOf: request, limits: limits)
        let link = try await feature.passwords.link(
            secret, browser: request.browserSecret, session: context.browserSession?.session)
        let caller = callers.caller(of: request, context)
        if link.purpose == .link {
            guard let session = context.browserSession else { return Response(page: pages.linkElsewhere()) }
            return try await addAddress(of: secret, in: session, request, from: caller)
        }
        let typed = form.typedEmail
        let field: FormMistake.Field =
            switch link.purpose {
            case .signIn: .email
            case .signUp where form["newPassword"] == nil: .password
            default: .newPassword
            }
        let email = link.isOfBrowser ? nil : typed
        let former = context.browserSession?.session.id
        return try await mending(in: field) {
            switch link.purpose {
            case .signUp:
                let password = form["newPassword"].map { PasswordAtLink.new(Password($0)) }
                return Response(
                    to: try await feature.passwords.finishSignUp(
                        secret, password: password ?? .repeated(Password(form["password"] ?? "")), email: email,
                        browser: try feature.browser(of: request), former: former, from: caller))
            case .signIn:
                return Response(
                    to: try await feature.passwords.finishSignIn(
                        secret, email: email, browser: try feature.browser(of: request), former: former, from: caller))
            case .reset:
                try await feature.passwords.finishReset(
                    secret, newPassword: Password(form["newPassword"] ?? ""), from: caller)
                // The reset has ended the session of this browser too, if it was the account's.
                return Response(
                    seeOther: PasswordSignInPageController.Outcome.reset.path(of: PasswordSignInPageController.path))
            default:
                throw AccountError(.linkUnknown, "this link is for a newer version of the service")
            }
        } page: { mistake in
            (try page(secret, link, typed: typed, mistake: mistake), nil)
        }
    }

    /// Adds the address of a link to the account of a browser's session. If the link can't be used, the page of the ways in
    /// says what to do. The form has no field, so any other error has a page of its own.
    private func addAddress(
        of secret: LinkSecret, in session: StoredSession, _ request: Request, from caller: Caller
    ) async throws -> Response {
        let outcome: LinkPageController.Outcome
        do {
            _ = try await feature.passwords.finishLink(
                secret, in: session, browser: request.browserSecret, from: caller)
            outcome = .added
        } catch let error as AccountError where error.code == .consentRequired {
            outcome = .addressConsent
        } catch let error as AccountError where error.code == .alreadyLinked {
            outcome = .another
        }
        return Response(seeOther: outcome.path)
    }

    private func page(
        _ secret: LinkSecret, _ link: EmailLink, typed: String = "", mistake: FormMistake? = nil
    ) throws -> String {
        let rules = try feature.passwords.rules
        return switch link.purpose {
        case .signUp: pages.signUpLink(secret, link, rules: rules, typed: typed, mistake: mistake)
        case .signIn: pages.signInLink(secret, link, typed: typed, mistake: mistake)
        case .reset: pages.resetLink(secret, link, rules: rules, mistake: mistake)
        case .link: link.isOfBrowser ? pages.linkAddress(secret, link) : pages.linkElsewhere()
        default: throw AccountError(.linkUnknown, "this link is for a newer version of the service")
        }
    }
}

extension PageRenderer {
    /// Asks for the password of a sign-up once more, or for a new one, and with it for the address where another browser has
    /// signed up.
    func signUpLink(
        _ secret: LinkSecret, _ link: EmailLink, rules: PasswordRules, typed: String = "",
        mistake: FormMistake? = nil
    ) -> String {
        struct Page {
            let frame: PageFrame
            let token: String
            /// Nil where another browser has signed up.
            let email: EmailText?
            let address: String
            let typed: String
            let emailProblem: String?
            let passwordProblem: String?
            let newPassword: NewPasswordField
            let isOpen: Bool
        }
        let newPassword = NewPasswordField(rules, label: "New password", mistake: mistake)
        return render(
            "link-sign-up",
            Page(
                frame: frame(title: "Finish your account"), token: secret.rawValue,
                email: link.isOfBrowser ? EmailText(link.address) : nil, address: link.address,
                typed: typed.shownAgain, emailProblem: mistake?.email, passwordProblem: mistake?.password,
                newPassword: newPassword, isOpen: newPassword.isOpen || mistake?.email != nil))
    }

    /// Asks whether the browser is signed in, and where another browser asked for the link, for the address.
    func signInLink(
        _ secret: LinkSecret, _ link: EmailLink, typed: String = "", mistake: FormMistake? = nil
    ) -> String {
        struct Page {
            let frame: PageFrame
            let token: String
            /// Nil where the person has to type it.
            let email: EmailText?
            let typed: String
            let emailProblem: String?
        }
        return render(
            "link-sign-in",
            Page(
                frame: frame(title: "Sign in"), token: secret.rawValue,
                email: link.isOfBrowser ? EmailText(link.address) : nil, typed: typed.shownAgain,
                emailProblem: mistake?.email))
    }

    /// Asks for a new password in place of a forgotten one.
    func resetLink(
        _ secret: LinkSecret, _ link: EmailLink, rules: PasswordRules, mistake: FormMistake? = nil
    ) -> String {
        struct Page {
            let frame: PageFrame
            let token: String
            let address: String
            let newPassword: NewPasswordField
        }
        return render(
            "link-reset",
            Page(
                frame: frame(title: "Choose a new password"), token: secret.rawValue, address: link.address,
                newPassword: NewPasswordField(rules, label: "New password", mistake: mistake)))
    }
}
