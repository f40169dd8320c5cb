import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The pages on which people sign in with an address, sign up, and ask for a link.
///
/// Their answers are the same whatever the address is: the mail alone tells more.
struct PasswordSignInPageController: Sendable {
    static let path = "/sign-in"
    static let signUpPath = "/sign-up"
    static let linkPath = "/sign-in/link"
    static let forgottenPath = "/forgotten"

    let feature: PasswordFeature
    let pages: PageRenderer
    let limits: HTTPLimits
    let callers: CallerReader

    /// The outcome of a form, which the query of the page names.
    enum Outcome: String {
        /// A mail with a link has left, if there is a reason for one.
        case sent
        /// A mail with a link has left, to somebody who is signed in.
        case sentToSignedIn = "sent-to-you"
        /// The password was changed by the link in a mail.
        case reset

        func path(of page: String) -> String { "\(page)?\(rawValue)" }
    }

    // MARK: Sign-in

    /// The start page, without Apple's script: a script of another host could read the password.
    @Sendable func page(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let isReset = try Self.hasOutcome(.reset, request)
        return Response(
            page: pages.signIn(
                account: context.browserSession?.account, returnPath: try request.returnPath,
                entry: PasswordEntry(),
                notice: isReset ? "Your password is changed. You can sign in with it now." : nil))
    }

    @Sendable func signIn(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let returnPath = try form.returnPath ?? .account
        let typed = form.typedEmail
        return try await mending(in: .password, asksForAddress: true) {
            let done = try await feature.passwords.signIn(
                email: typed, password: Password(form["password"] ?? ""), returnPath: returnPath,
                browser: try feature.browser(of: request), former: context.browserSession?.session.id,
                from: callers.caller(of: request, context))
            return Response(to: done)
        } page: { mistake in
            (
                pages.signIn(
                    account: nil, returnPath: returnPath, entry: PasswordEntry(typed: typed, mistake: mistake)), nil
            )
        }
    }

    // MARK: Sign-up

    @Sendable func signUpPage(_ request: Request, _ context: ServiceContext) async throws -> Response {
        if try Self.hasOutcome(.sent, request) { return Response(page: pages.mailSent(.signUp)) }
        return Response(
            page: pages.signUp(
                SignUpForm(returnPath: try request.returnPath), rules: try feature.passwords.rules
            ))
    }

    @Sendable func signUp(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let filled = SignUpForm(
            returnPath: try form.returnPath ?? .account, typed: form.typedEmail, givenName: form["givenName"] ?? "",
            familyName: form["familyName"] ?? "")
        return try await mending(in: .newPassword) {
            let browser = try feature.browser(of: request)
            try await feature.passwords.signUp(
                email: filled.typed, password: Password(form["newPassword"] ?? ""),
                name: PersonName(
                    givenName: filled.givenName, familyName: filled.familyName, middleName: nil, namePrefix: nil,
                    nameSuffix: nil, nickname: nil),
                browser: browser, returnPath: filled.returnPath, from: callers.caller(of: request, context))
            return Response(
                seeOther: Outcome.sent.path(of: Self.signUpPath), cookie: browser.cookie)
        } page: { mistake in
            (pages.signUp(filled, rules: try feature.passwords.rules, mistake: mistake), nil)
        }
    }

    // MARK: Links

    @Sendable func linkPage(_ request: Request, _ context: ServiceContext) async throws -> Response {
        if let page = try mailSent(.signIn, request) { return page }
        return Response(
            page: pages.emailRequest(.signIn, returnPath: try request.returnPath))
    }

    @Sendable func requestLink(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let returnPath = try form.returnPath ?? .account
        let typed = form.typedEmail
        return try await mending(in: .email) {
            let browser = try feature.browser(of: request)
            try await feature.passwords.requestSignInLink(
                email: typed, browser: browser, returnPath: returnPath, from: callers.caller(of: request, context))
            return Response(seeOther: Outcome.sent.path(of: Self.linkPath), cookie: browser.cookie)
        } page: { mistake in
            (pages.emailRequest(.signIn, returnPath: returnPath, typed: typed, mistake: mistake), nil)
        }
    }

    @Sendable func forgottenPage(_ request: Request, _ context: ServiceContext) async throws -> Response {
        if let page = try mailSent(.reset, request) { return page }
        return Response(page: pages.emailRequest(.reset))
    }

    @Sendable func requestReset(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let typed = form.typedEmail
        return try await mending(in: .email) {
            let browser = try feature.browser(of: request)
            try await feature.passwords.requestReset(
                email: typed, browser: browser, from: callers.caller(of: request, context))
            return Response(
                seeOther: Outcome.sent.path(of: Self.forgottenPath), cookie: browser.cookie)
        } page: { mistake in
            (pages.emailRequest(.reset, typed: typed, mistake: mistake), nil)
        }
    }

    // MARK: Reading

    /// The page after a request for a link. Nil where the query names no such outcome.
    private func mailSent(_ link: RequestedLink, _ request: Request) throws -> Response? {
        if try Self.hasOutcome(.sentToSignedIn, request) {
            return Response(page: pages.mailSent(link, isSignedIn: true))
        }
        return try Self.hasOutcome(.sent, request) ? Response(page: pages.mailSent(link)) : nil
    }

    private static func hasOutcome(_ outcome: Outcome, _ request: Request) throws -> Bool {
        try FormFields(queryOf: request, for: outcome.rawValue)[outcome.rawValue] != nil
    }
}
