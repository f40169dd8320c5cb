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
    let proofs: FreshProofs
    /// The policy of the page whose form leads to Apple.
    let policy: ContentSecurityPolicy

    @Sendable func show(_ request: Request, _ context: SessionContext) async throws -> Response {
        try Response(json: try await answer(for: context.session.account.id))
    }

    // MARK: Pages

    /// The page that leads to the file. A browser that comes back from Apple needs a page to land on.
    @Sendable func offer(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(
            page: pages.export(
                isFresh: proofs.isFresh(context.session), way: try await proofs.wayToProve(of: context.session)),
            policy: policy)
    }

    /// The export as a file. It needs a fresh proof, because browsers are shared, and left open.
    @Sendable func download(_ request: Request, _ context: BrowserContext) async throws -> Response {
        guard proofs.isFresh(context.session) else { return Response(seeOther: Self.path) }
        return try Response(
            headers: [.contentDisposition: #"attachment; filename="account.json""#],
            json: try await answer(for: context.session.account.id))
    }

    private func answer(for account: AccountID) async throws -> AccountExportAnswer {
        let (export, kept, activity) = try await exports.export(account)
        let now = APITime(Timestamp(environment.now()))
        return AccountExportAnswer(export, kept: kept, activity: activity, exportedAt: now)
    }
}

extension PageRenderer {
    /// - Parameters:
    ///   - isFresh: Whether the file is to be had at once, and not only after a fresh proof.
    ///   - way: The way of that proof.
    func export(isFresh: Bool, way: WayToProve = .apple) -> String {
        struct Page {
            let frame: PageFrame
            let isFresh: Bool
            /// The words before the proof.
            let first: String
            let proof: ProofPart
        }
        return render(
            "export",
            Page(
                frame: frame(title: "Your data"), isFresh: isFresh,
                first: way == .apple ? "Sign in again with Apple first." : "Sign in again first.",
                proof: proof(way, returnPath: ExportController.path)))
    }
}
