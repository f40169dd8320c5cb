import AccountAPI
import AccountService
import AppleID
import Foundation
import HTTPTypes
import Hummingbird

/// All that is held about a person, for them to take away.
struct ExportController: Sendable {
    let exports: Exports
    let environment: AppleIDEnvironment

    func addRoutes(to api: some RouterMethods<ServiceContext>) {
        api.group(context: TokenContext.self).get("account/export", use: show)
    }

    func addPages(to site: some RouterMethods<ServiceContext>) {
        site.group(context: BrowserContext.self).get("account/export", use: download)
    }

    @Sendable private func show(_ request: Request, _ context: TokenContext) async throws -> Response {
        try Response(json: try await answer(for: context.session.account.id))
    }

    /// The same as a file.
    @Sendable private func download(_ request: Request, _ context: BrowserContext) async throws -> Response {
        try Response(
            headers: [.contentDisposition: #"attachment; filename="account.json""#],
            json: try await answer(for: context.session.account.id))
    }

    private func answer(for account: AccountID) async throws -> AccountExportAnswer {
        let (export, kept, activity) = try await exports.export(account)
        let now = APITime(Timestamp(environment.now()))
        return AccountExportAnswer(export, kept: kept, activity: activity, exportedAt: now)
    }
}
