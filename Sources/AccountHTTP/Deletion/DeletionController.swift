import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// The end of an account: for programs, and on pages.
struct DeletionController: Sendable {
    static let path = "/account/delete"

    let deletions: Deletions
    let signIn: SignIn
    let pages: PageRenderer
    let body: JSONBody
    let clients: ClientAddress
    /// For the page whose form leads to Apple.
    let policy: ContentSecurityPolicy

    func addRoutes(to api: some RouterMethods<ServiceContext>) {
        let signedIn = api.group(context: TokenContext.self)
        signedIn.delete("account", use: delete)
        signedIn.post("account/delete", use: deleteWithCredential)
    }

    func addPages(to site: some RouterMethods<ServiceContext>) {
        let signedIn = site.group(context: BrowserContext.self)
        signedIn.get("account/delete", use: ask)
        signedIn.post("account/delete", use: leave)
    }

    /// For whoever has the handle.
    func addAnswer(to open: some RouterMethods<ServiceContext>) { open.get("deletions/{handle}", use: show) }

    func addAnswerPage(to site: some RouterMethods<ServiceContext>) { site.get("deletions/{handle}", use: page) }

    static func path(of handle: DeletionHandle) -> String { "/deletions/\(handle.rawValue)" }

    @Sendable private func delete(_ request: Request, _ context: TokenContext) async throws -> Response {
        try accepted(
            try await deletions.delete(accountOf: context.session, from: clients.caller(of: request, context)))
    }

    /// The same in one step with the proof that it needs.
    @Sendable private func deleteWithCredential(
        _ request: Request, _ context: TokenContext
    ) async throws -> Response {
        let input = try await body.decode(ReauthenticationRequest.self, from: request)
        return try accepted(
            try await signIn.delete(
                accountOf: context.session, with: NativeSignIn(input), from: clients.caller(of: request, context)))
    }

    private func accepted(_ receipt: DeletionReceipt) throws -> Response {
        try Response(
            status: .accepted, headers: [.location: "/v1" + Self.path(of: receipt.handle)],
            json: AccountDeletionAnswer(handle: receipt.handle.rawValue, deletion: answer(receipt.deletion)))
    }

    @Sendable private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try Response(json: DeletionAnswer(deletion: answer(try await deletion(context))))
    }

    private func answer(_ deletion: Deletion) -> DeletionBody {
        DeletionBody(
            status: DeletionStatus(rawValue: deletion.state.rawValue),
            requestedAt: APITime(deletion.requestedAt),
            finishedAt: deletion.finishedAt.map { APITime(secondsSince1970: $0.secondsSince1970) },
            manualRemoval: deletion.asksApple ? nil : .ofApp(pages.appName))
    }

    private func deletion(_ context: ServiceContext) async throws -> Deletion {
        guard let handle = DeletionHandle(rawValue: context.parameters.get("handle") ?? "") else {
            throw AccountError(.deletionUnknown, "this is no handle of a deletion")
        }
        return try await deletions.deletion(handle)
    }

    // MARK: Pages

    @Sendable private func ask(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(page: pages.deletionQuestion(context.session.account), policy: policy)
    }

    /// To Apple, so that only the person can do it; the way back deletes the account.
    @Sendable private func leave(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let browser = CookieName.browser.value(in: request).flatMap { BrowserSecret(rawValue: $0) }
        guard let back = ReturnPath(rawValue: Self.path) else { throw HTTPFailure(.notFound, "No such page.") }
        return Response(
            to: try await signIn.begin(.deletion, in: context.session, returnPath: back, browser: browser))
    }

    @Sendable private func page(_ request: Request, _ context: ServiceContext) async throws -> Response {
        Response(page: pages.deletion(try await deletion(context)))
    }
}
