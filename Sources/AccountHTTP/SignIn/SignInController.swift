import AccountAPI
import AccountService
import AppleID
import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore

/// Sign-in in a browser: the page with the button, the way to Apple, and the way back.
struct SignInController: Sendable {
    static let startPath = "/"
    /// The start page as a browser sees it that has just signed out.
    static let signedOutPath = startPath + "?" + signedOutField
    /// The path that the button leads to.
    static let beginningPath = "/sign-in/apple"
    private static let signedOutField = "signed-out"

    let signIn: SignIn
    let callback: AppleCallback
    let pages: PageRenderer
    let limits: HTTPLimits
    let callers: CallerReader
    /// Whether the service takes passwords.
    let hasPasswords: Bool

    @Sendable func page(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let account = context.browserSession?.account
        let isSignedOut = try FormFields(queryOf: request, for: Self.signedOutField)[Self.signedOutField] != nil
        let path = try request.returnPath
        return Response(
            page: pages.signIn(
                account: account, returnPath: path, isSignedOut: isSignedOut,
                entry: hasPasswords ? PasswordEntry() : nil, mayUseScript: true),
            policy: account == nil && !path.isOfLink ? pages.signInPolicy : nil)
    }

    /// Begins an attempt and sends the browser to Apple.
    ///
    /// It is a GET that writes, and any site may link to it. That is harmless: what another site can begin is a visit
    /// to Apple's own page, on which the person decides. The attempt is bound to this browser, so nobody else can end
    /// it, and its return path is one of ours. So the button can be a plain link, good without scripts.
    @Sendable func sendToApple(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let beginning = try await begin(request, context)
        return Response(status: .found, headers: [.location: beginning.location, .setCookie: beginning.cookie])
    }

    /// Begins an attempt for the browser that sent this request. The query says where the browser returns to.
    func begin(_ request: Request, _ context: ServiceContext) async throws -> SignInBeginning {
        return try await signIn.begin(
            returnPath: try request.returnPath, browser: request.browserSecret,
            session: context.browserSession?.session.id)
    }

    /// Ends an attempt with what Apple's form brings, and sends the browser on with its session.
    @Sendable func finish(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        do {
            let outcome = try await request.withBrowserSecret { browser in
                try await callback.outcome(
                    AuthorizationResponse(form: form.fields), browser: browser,
                    from: callers.caller(of: request, context))
            }
            switch outcome {
            case .ended(let ending): return pages.response(to: ending)
            case .failed(let error, let path): throw HTTPFailure(of: error, backTo: path)
            }
        } catch let error as AccountError where error.code == .cancelled {
            // Status 200: the person did what the page at Apple offers, and nothing went wrong.
            return Response(page: pages.cancelled())
        }
    }
}

extension SignInController {

    /// The values that the page hands to Apple's script.
    private struct Answer: Encodable {
        let clientID: String
        let redirectURI: String
        let scope: String
        let state: String
        let nonce: String?
    }

    /// Begins an attempt like the link, and tells the page what to ask Apple for, in place of sending the browser
    /// there.
    ///
    /// The attempt is bound to this browser by the same cookie, and ends at the same callback by the same rules.
    @Sendable func beginByScript(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let beginning = try await begin(request, context)
        let asked = beginning.request
        return try Response(
            headers: [.setCookie: beginning.cookie],
            json: Answer(
                clientID: asked.client.rawValue, redirectURI: asked.redirectURI,
                scope: asked.scopes.map(\.rawValue).joined(separator: " "), state: asked.state, nonce: asked.nonce))
    }
}

extension PageRenderer {
    /// Sends a browser on that has come back from Apple, or from another provider.
    func response(to ending: WebEnding) -> Response {
        switch ending {
        case .signIn(let done):
            return Response(to: done)
        case .deleted(let receipt):
            return Response(
                seeOther: DeletionController.path(of: receipt.handle), cookie: CookieName.session.clearing)
        case .cancelled(let path):
            return Response(seeOther: path.rawValue)
        case .upgraded:
            return Response(seeOther: AccountController.upgradedPath)
        case .upgradeRefused(let code, let path):
            return Response(seeOther: UpgradeController.path(after: code, at: path))
        case .linked:
            return Response(seeOther: LinkPageController.Outcome.added.path)
        case .linkedBefore:
            return Response(seeOther: LinkPageController.Outcome.present.path)
        case .linkNeedsConsent(let provider):
            let path = LinkPageController.Outcome.consent.path
            return Response(seeOther: provider.map { "\(path)=\($0)" } ?? path)
        case .linkConflict(let conflict):
            return Response(page: linkConflict(conflict))
        case .authorization(let id):
            return Response(seeOther: AuthorizationController.endPath(of: id))
        }
    }
}
