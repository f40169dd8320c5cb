import AccountAPI
import AccountService
import Hummingbird

/// Who am I: for programs and for people.
struct AccountController: Sendable {
    let pages: PageRenderer

    func addRoutes(to api: some RouterMethods<ServiceContext>) {
        api.group(context: TokenContext.self).get("account", use: show)
    }

    func addPages(to site: some RouterMethods<ServiceContext>) {
        site.group(context: BrowserContext.self).get("account", use: page)
    }

    @Sendable private func show(_ request: Request, _ context: TokenContext) async throws -> Response {
        Response(json: AccountAnswer(account: AccountBody(context.session.account)))
    }

    @Sendable private func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(page: pages.account(context.session.account))
    }
}
