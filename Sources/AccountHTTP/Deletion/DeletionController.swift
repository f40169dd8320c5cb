import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// The end of an account: for programs, and on pages.
struct DeletionController: Sendable {
    static let path = "/account/delete"

    let deletions: Deletions
    let pages: PageRenderer
    let body: JSONBody
    let clients: ClientAddress
    /// The policy of the page whose form leads to Apple.
    let policy: ContentSecurityPolicy

    static func path(of handle: DeletionHandle) -> String { "/deletions/\(handle.rawValue)" }

    @Sendable func delete(_ request: Request, _ context: SessionContext) async throws -> Response {
        try accepted(
            try await deletions.delete(accountOf: context.session, from: clients.caller(of: request, context)))
    }

    /// Deletes the account in one step with the proof that the deletion needs.
    @Sendable func deleteWithCredential(
        _ request: Request, _ context: SessionContext
    ) async throws -> Response {
        let input = try await body.decode(ReauthenticationRequest.self, from: request)
        return try accepted(
            try await deletions.delete(
                accountOf: context.session, with: NativeSignIn(input), from: clients.caller(of: request, context)))
    }

    private func accepted(_ receipt: DeletionReceipt) throws -> Response {
        try Response(
            status: .accepted, headers: [.location: "/v1" + Self.path(of: receipt.handle)],
            json: AccountDeletionAnswer(handle: receipt.handle.rawValue, deletion: answer(receipt.deletion)))
    }

    @Sendable func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
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

    @Sendable func ask(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(page: pages.deletionQuestion(context.session.account), policy: policy)
    }

    /// Sends the browser to Apple, so that only the person can delete; the way back deletes the account.
    @Sendable func leave(_ request: Request, _ context: BrowserContext) async throws -> Response {
        guard let back = ReturnPath(rawValue: Self.path) else { throw HTTPFailure(.notFound, "No such page.") }
        return Response(
            to: try await deletions.begin(in: context.session, returnPath: back, browser: request.browserSecret))
    }

    @Sendable func page(_ request: Request, _ context: ServiceContext) async throws -> Response {
        Response(page: pages.deletion(try await deletion(context)))
    }
}

extension PageRenderer {
    /// Asks once more, and says what goes.
    func deletionQuestion(_ account: Account) -> String {
        struct Page {
            let frame: PageFrame
            let person: String?
        }
        return render(
            "deletion-question",
            Page(
                frame: frame(title: "Delete your account"), person: account.name?.formatted ?? account.email))
    }

    /// The page that reports a deletion. It doesn't say that an operator must act, because the person can't do anything
    /// about it.
    func deletion(_ deletion: Deletion) -> String {
        struct Page {
            let frame: PageFrame
            let heading: String
            let paragraphs: [String]
            let removal: ManualRemoval?
            let requested: CalendarDay
            let apple: String
        }
        let isBack = deletion.state == .withdrawn
        let removal = deletion.asksApple ? nil : ManualRemoval.ofApp(appName)
        let apple =
            switch deletion.state {
            case .waiting, .parked: "We haven’t told Apple yet. You don’t need to do anything."
            case .done: deletion.asksApple ? "Has ended the authorization" : "Could not be asked"
            case .withdrawn: "Not told, because you signed in again"
            }
        return render(
            "deletion",
            Page(
                frame: frame(title: "Your account is deleted"),
                heading: isBack ? "Your old account is deleted" : "Your account is deleted",
                paragraphs: isBack
                    ? ["You have signed in since then, and have a new account."]
                    : ["Your data at \(appName) is gone, and you are signed out everywhere."],
                removal: removal, requested: CalendarDay(of: deletion.requestedAt), apple: apple))
    }
}
