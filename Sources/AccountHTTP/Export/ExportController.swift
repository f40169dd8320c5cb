import AccountAPI
import AccountService
import AppleID
import Foundation
import HTTPTypes
import Hummingbird

/// All that is held about a person, for them to take away.
struct ExportController: Sendable {
    static let path = "/account/export"
    static let filePath = path + "/file"

    let exports: Exports
    let environment: AppleIDEnvironment
    let pages: PageRenderer
    /// For the page whose form leads to Apple.
    let policy: ContentSecurityPolicy

    func addRoutes(to api: some RouterMethods<ServiceContext>) {
        api.group(context: TokenContext.self).get("account/export", use: show)
    }

    func addPages(to site: some RouterMethods<ServiceContext>) {
        let signedIn = site.group(context: BrowserContext.self)
        signedIn.get("account/export", use: offer)
        signedIn.get("account/export/file", use: download)
    }

    @Sendable private func show(_ request: Request, _ context: TokenContext) async throws -> Response {
        try Response(json: try await answer(for: context.session.account.id))
    }

    // MARK: Pages

    /// A file is no page to come back to from Apple, so a page leads to it.
    @Sendable private func offer(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(page: pages.export(isFresh: isFresh(context)), policy: policy)
    }

    /// The same as a file, with a fresh proof: browsers are shared, and left open.
    @Sendable private func download(_ request: Request, _ context: BrowserContext) async throws -> Response {
        guard isFresh(context) else { return Response(seeOther: Self.path) }
        return try Response(
            headers: [.contentDisposition: #"attachment; filename="account.json""#],
            json: try await answer(for: context.session.account.id))
    }

    private func isFresh(_ context: BrowserContext) -> Bool {
        context.session.session.hasRecentSignIn(at: Timestamp(environment.now()))
    }

    private func answer(for account: AccountID) async throws -> AccountExportAnswer {
        let (export, kept, activity) = try await exports.export(account)
        let now = APITime(Timestamp(environment.now()))
        return AccountExportAnswer(export, kept: kept, activity: activity, exportedAt: now)
    }
}
