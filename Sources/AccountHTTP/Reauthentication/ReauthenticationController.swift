import AccountAPI
import AccountService
import Hummingbird

/// Proving again who one is, before something that cannot be undone.
struct ReauthenticationController: Sendable {
    let reauthentications: Reauthentications
    let body: JSONBody
    let callers: CallerReader
    let limits: HTTPLimits
    let feature: PasswordFeature
    let proofs: FreshProofs
    let pages: PageRenderer
    /// The policy of the page whose form may lead to Apple.
    let policy: ContentSecurityPolicy

    @Sendable func renew(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(ReauthenticationRequest.self, from: request)
        let renewed = try await reauthentications.reauthenticate(
            context.session, with: NativeSignIn(input), from: callers.caller(of: request, context))
        return try Response(json: ReauthenticationAnswer(renewed))
    }

    /// Sends the browser to Apple. The form says where it returns: a path of this site, in `return`.
    @Sendable func sendToApple(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let path = try form.returnPath ?? .account
        return Response(
            to: try await reauthentications.begin(in: context.session, returnPath: path, browser: request.browserSecret)
        )
    }

    /// Takes the password of the account. The form says where the browser returns, as for Apple.
    @Sendable func proveByPassword(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let path = try form.returnPath ?? .account
        return try await mending(in: .password) {
            Response(
                to: try await feature.passwords.reauthenticate(
                    context.session, password: Password(form["password"] ?? ""), browser: request.browserSecret,
                    returnPath: path, from: callers.caller(of: request, context)))
        } page: { mistake in
            let way = try await proofs.wayToProve(of: context.session)
            return (pages.prove(way, returnPath: path, problem: mistake.password), policy)
        }
    }

    /// Sends a link to the address with which the person signs in. The link leads back to the page, freshly signed in.
    @Sendable func requestLink(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let path = try form.returnPath ?? .account
        let browser = try feature.browser(of: request)
        try await feature.passwords.requestSignInLink(
            in: context.session, browser: browser, returnPath: path, from: callers.caller(of: request, context))
        let outcome = PasswordSignInPageController.Outcome.sentToSignedIn
        return Response(
            seeOther: outcome.path(of: PasswordSignInPageController.linkPath), cookie: browser.cookie)
    }
}

extension ReauthenticationAnswer {
    init(_ renewed: Reauthenticated) {
        self.init(
            authenticatedAt: APITime(renewed.authenticatedAt), accessToken: renewed.accessToken,
            expiresIn: Int(renewed.expiresIn.components.seconds))
    }
}
