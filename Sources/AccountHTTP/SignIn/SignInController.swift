import AccountAPI
import AccountService
import AppleID
import HTTPTypes
import Hummingbird
import NIOCore

/// Sign-in in a browser: the page with the button, the way to Apple, and the way back.
struct SignInController: Sendable {
    static let startPath = "/"
    /// The start page as a browser sees it that has just signed out.
    static let signedOutPath = startPath + "?" + signedOutField
    /// Where the button leads.
    static let beginningPath = "/sign-in/apple"
    private static let signedOutField = "signed-out"

    let signIn: SignIn
    let pages: PageRenderer
    let limits: HTTPLimits
    let clients: ClientAddress

    func addPages(to site: some RouterMethods<ServiceContext>) {
        site.get("/", use: page)
    }

    func addBeginning(to site: some RouterMethods<ServiceContext>) {
        site.get("sign-in/apple", use: leave)
    }

    /// Apart from the pages, because this POST comes from Apple's site by design.
    func addCallback(to router: some RouterMethods<ServiceContext>) {
        router.post("sign-in/apple/callback", use: finish)
    }

    @Sendable private func page(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let account = context.browserSession?.account
        let isSignedOut = try FormFields(queryOf: request, for: Self.signedOutField)[Self.signedOutField] != nil
        return Response(
            page: pages.signIn(
                account: account, returnPath: try Self.returnPath(of: request), isSignedOut: isSignedOut),
            policy: account == nil ? pages.signInPolicy : nil)
    }

    /// Begins an attempt and sends the browser to Apple.
    ///
    /// It is a GET that writes, and any site may link to it. That is harmless: what another site can begin is a visit
    /// to Apple's own page, on which the person decides. The attempt is bound to this browser, so nobody else can end
    /// it, and its return path is one of ours. So the button can be a plain link, good without scripts.
    @Sendable private func leave(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let beginning = try await begin(request, context)
        return Response(status: .found, headers: [.location: beginning.location, .setCookie: beginning.cookie])
    }

    /// An attempt of the browser that sent this request, to return where its query says.
    func begin(_ request: Request, _ context: ServiceContext) async throws -> SignInBeginning {
        let browser = CookieName.browser.value(in: request).flatMap { BrowserSecret(rawValue: $0) }
        return try await signIn.begin(
            returnPath: try Self.returnPath(of: request), browser: browser, session: context.browserSession?.session.id)
    }

    private static func returnPath(of request: Request) throws -> ReturnPath {
        guard let text = try FormFields(queryOf: request, for: "return")["return"] else { return .account }
        guard let path = ReturnPath(rawValue: text) else {
            throw HTTPFailure.invalidRequest("return", "is not a path of this site")
        }
        return path
    }

    /// Ends an attempt with what Apple's form brings, and sends the browser on with its session.
    @Sendable private func finish(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try ContentType.form.require(in: request)
        let buffer = try await request.body.collect(upTo: limits.maximumBodyBytes)
        let form = try FormFields(buffer.readableBytesView)
        let cookie = CookieName.browser.value(in: request)
        do {
            let ending = try await signIn.finish(
                AuthorizationResponse(form: form.fields), browser: cookie.flatMap { BrowserSecret(rawValue: $0) },
                from: clients.caller(of: request, context))
            switch ending {
            case .signIn(let done):
                return Response(
                    seeOther: done.returnPath.rawValue,
                    cookie: CookieName.session.setting(done.sessionCookie, lifetime: done.cookieLifetime))
            case .deleted(let receipt):
                return Response(
                    seeOther: DeletionController.path(of: receipt.handle), cookie: CookieName.session.clearing)
            case .cancelled(let path):
                return Response(seeOther: path.rawValue)
            case .authorization(let id):
                return Response(seeOther: AuthorizationController.endPath(of: id))
            }
        } catch let error as AccountError where error.code == .cancelled {
            // Status 200: the person did what the page at Apple offers, and nothing went wrong.
            return Response(page: pages.cancelled())
        } catch let error as AccountError where error.code == .browserMismatch && cookie == nil {
            // A browser that keeps no cookies looks like another one; only here can the two be told apart.
            throw HTTPFailure(.browserCookieMissing, "The browser did not bring its cookie back.", cause: error)
        }
    }
}
