import AccountAPI
import AccountService
import AppleIDTypes
import Hummingbird

/// Proving again who one is, before something that cannot be undone.
struct ReauthenticationController: Sendable {
    /// Of the form on pages, see ``ReauthenticationTemplates``.
    static let path = "/reauthenticate/apple"

    let signIn: SignIn
    let body: JSONBody
    let clients: ClientAddress
    let limits: HTTPLimits

    func addRoutes(to api: some RouterMethods<ServiceContext>) {
        api.group(context: TokenContext.self).post("reauthenticate/apple", use: renew)
    }

    func addPages(to site: some RouterMethods<ServiceContext>) {
        site.group(context: BrowserContext.self).post("reauthenticate/apple", use: leave)
    }

    @Sendable private func renew(_ request: Request, _ context: TokenContext) async throws -> Response {
        let input = try await body.decode(ReauthenticationRequest.self, from: request)
        let renewed = try await signIn.reauthenticate(
            context.session, with: NativeSignIn(input), from: clients.caller(of: request, context))
        return try Response(
            json: ReauthenticationAnswer(
                authenticatedAt: APITime(renewed.authenticatedAt),
                accessToken: renewed.accessToken, expiresIn: Int(renewed.expiresIn.components.seconds)))
    }

    /// Sends the browser to Apple. The form says where it returns: a path of this site, in `return`.
    @Sendable private func leave(_ request: Request, _ context: BrowserContext) async throws -> Response {
        try ContentType.form.require(in: request)
        let form = try FormFields(try await request.body.collect(upTo: limits.maximumBodyBytes).readableBytesView)
        guard let path = ReturnPath(rawValue: form["return"] ?? ReturnPath.account.rawValue) else {
            throw HTTPFailure.invalidRequest("return", "is not a path of this site")
        }
        let browser = CookieName.browser.value(in: request).flatMap { BrowserSecret(rawValue: $0) }
        return Response(
            to: try await signIn.begin(.reauthentication, in: context.session, returnPath: path, browser: browser))
    }
}

extension NativeSignIn {
    init(_ request: ReauthenticationRequest) {
        self.init(
            identityToken: request.identityToken,
            authorizationCode: request.authorizationCode.map { AuthorizationCode($0) }, nonce: request.nonce,
            clientID: request.clientID.map { ClientID($0) })
    }
}
