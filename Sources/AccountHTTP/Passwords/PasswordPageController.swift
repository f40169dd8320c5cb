import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// The page on which people change the password of their account, or set the first one.
struct PasswordPageController: Sendable {
    static let path = "/account/password"
    private static let savedField = "saved"

    let feature: PasswordFeature
    let ways: WaysInLookup
    let proofs: FreshProofs
    let pages: PageRenderer
    let limits: HTTPLimits
    let callers: CallerReader

    @Sendable func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let isSaved = try FormFields(queryOf: request, for: Self.savedField)[Self.savedField] != nil
        return Response(
            page: try await page(of: context, outcome: isSaved ? "Your password is saved." : nil))
    }

    @Sendable func save(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let endsOthers = form["endOthers"] != nil
        let ways = try await self.ways.waysIn(thatOpened: context.session.session)
        // The page says what to do first.
        guard !ways.isOff, ways.acceptsPassword || proofs.isFresh(context.session) else {
            return Response(seeOther: Self.path)
        }
        let current = form["password"].map { Password($0) }
        return try await mending(in: .newPassword) {
            do {
                try await feature.passwords.change(
                    current: current, to: Password(form["newPassword"] ?? ""), endingOthers: endsOthers,
                    in: context.session, from: callers.caller(of: request, context))
            } catch let error as AccountError
                where current == nil && (error.field == "currentPassword" || error.code == .wrongCredentials)
            {
                // A first password was set meanwhile, in another tab or by the first of two clicks. The page asks for it.
                return Response(seeOther: Self.path)
            }
            return Response(seeOther: "\(Self.path)?\(Self.savedField)")
        } page: { mistake in
            (try await page(of: context, mistake: mistake, endsOthers: endsOthers), nil)
        }
    }

    /// Sends the link that sets a new password in place of the one that is off.
    @Sendable func requestReset(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let browser = try feature.browser(of: request)
        try await feature.passwords.requestReset(
            in: context.session, browser: browser, from: callers.caller(of: request, context))
        let outcome = PasswordSignInPageController.Outcome.sentToSignedIn
        return Response(
            seeOther: outcome.path(of: PasswordSignInPageController.forgottenPath), cookie: browser.cookie)
    }

    private func page(
        of context: BrowserContext, outcome: String? = nil, mistake: FormMistake? = nil, endsOthers: Bool = true
    ) async throws -> String {
        let ways = try await self.ways.waysIn(thatOpened: context.session.session)
        guard let address = ways.emailIdentity else {
            throw AccountError(.notByPassword, "this session is not of an address to sign in with")
        }
        let asksFirst = !ways.acceptsPassword && !proofs.isFresh(context.session)
        return pages.password(
            address: address, rules: try feature.passwords.rules, hasPassword: ways.acceptsPassword,
            isOff: ways.isOff, asksFirst: asksFirst, outcome: outcome, mistake: mistake, endsOthers: endsOthers)
    }
}

extension PageRenderer {
    /// The page with the form for a new password.
    /// - Parameters:
    ///   - hasPassword: Whether the form asks for the password that the account has.
    ///   - isOff: Whether the account's password is off, after too many wrong ones.
    ///   - asksFirst: Whether the person has to sign in again before they get the form.
    func password(
        address: String, rules: PasswordRules, hasPassword: Bool, isOff: Bool = false, asksFirst: Bool,
        outcome: String? = nil, mistake: FormMistake? = nil, endsOthers: Bool = true
    ) -> String {
        struct Form {
            let passwordProblem: String?
            let endsOthers: Bool
        }
        struct Page {
            let frame: PageFrame
            let heading: String
            let outcome: String?
            let email: EmailText
            let address: String
            let hasPassword: Bool
            let isOff: Bool
            let form: Form?
            let newPassword: NewPasswordField
            let proof: ProofPart?
        }
        let heading = isOff ? "Your password is off" : hasPassword ? "Change your password" : "Set a password"
        return render(
            "password",
            Page(
                frame: frame(title: heading), heading: heading, outcome: outcome, email: EmailText(address),
                address: address, hasPassword: hasPassword, isOff: isOff,
                form: asksFirst || isOff ? nil : Form(passwordProblem: mistake?.password, endsOthers: endsOthers),
                newPassword: NewPasswordField(rules, label: "New password", mistake: mistake),
                proof: asksFirst && !isOff
                    ? proof(.link(address: address), returnPath: PasswordPageController.path) : nil))
    }
}
