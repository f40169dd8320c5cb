import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// The end of an account: for programs, and on pages.
struct DeletionController: Sendable {
    static let path = returnPath.rawValue
    private static let returnPath = ReturnPath(ofOwnPage: "/account/delete")

    let deletions: Deletions
    let pages: PageRenderer
    let body: JSONBody
    let callers: CallerReader
    let limits: HTTPLimits
    let proofs: FreshProofs
    /// The policy of the page whose form leads to Apple.
    let policy: ContentSecurityPolicy
    let web: ProviderWebSignIn

    static func path(of handle: DeletionHandle) -> String { "/deletions/\(handle.rawValue)" }

    @Sendable func delete(_ request: Request, _ context: SessionContext) async throws -> Response {
        try accepted(
            try await deletions.delete(accountOf: context.session, from: callers.caller(of: request, context)))
    }

    /// Deletes the account in one step with the proof that the deletion needs.
    @Sendable func deleteWithCredential(
        _ request: Request, _ context: SessionContext
    ) async throws -> Response {
        let input = try await body.decode(ReauthenticationRequest.self, from: request)
        return try accepted(
            try await deletions.delete(
                accountOf: context.session, with: NativeSignIn(input), from: callers.caller(of: request, context)))
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
            manualRemoval: deletion.asksApple ? nil : .ofApp(pages.appName), hasApple: deletion.hasApple)
    }

    private func deletion(_ context: ServiceContext) async throws -> Deletion {
        guard let handle = DeletionHandle(rawValue: context.parameters.get("handle") ?? "") else {
            throw AccountError(.deletionUnknown, "this is no handle of a deletion")
        }
        return try await deletions.deletion(handle)
    }

    // MARK: Pages

    @Sendable func ask(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(page: try await question(context), policy: policy)
    }

    private func question(_ context: BrowserContext, mistake: FormMistake? = nil) async throws -> String {
        pages.deletionQuestion(
            context.session.account, way: try await proofs.wayToProve(of: context.session),
            isFresh: proofs.isFresh(context.session), mistake: mistake)
    }

    /// Makes sure that the person is there, and deletes the account.
    ///
    /// A person who signs in with Apple is sent there, and the way back deletes the account. Another one has typed their
    /// password, or has signed in just now with a link.
    @Sendable func confirm(_ request: Request, _ context: BrowserContext) async throws -> Response {
        switch try await proofs.wayToProve(of: context.session) {
        case .apple:
            return try await sendToApple(request, context)
        case .provider(let id) where pages.provider(id) != nil:
            return pages.onward(
                to: try await web.begin(
                    .deletion(context.session), at: id, returnPath: Self.returnPath, browser: request.browserSecret))
        case .none, .provider, .turnedOff:
            // The page says what to do instead.
            return Response(seeOther: Self.path)
        case .password:
            let form = try await FormFields(bodyOf: request, limits: limits)
            // Another tab has set a password since the page was shown, so its form had no field for one. Show the page again.
            guard let password = form["password"] else { return Response(seeOther: Self.path) }
            let caller = callers.caller(of: request, context)
            return try await mending(in: .password) {
                try await proofs.renewing(
                    context.session, password: password, of: request, from: caller, orBackTo: Self.path
                ) { session in
                    deleted(try await deletions.delete(accountOf: session, from: caller))
                }
            } page: { mistake in
                (try await question(context, mistake: mistake), policy)
            }
        case .link:
            guard proofs.isFresh(context.session) else { return Response(seeOther: Self.path) }
            return deleted(
                try await deletions.delete(accountOf: context.session, from: callers.caller(of: request, context)))
        }
    }

    private func deleted(_ receipt: DeletionReceipt) -> Response {
        Response(seeOther: Self.path(of: receipt.handle), cookie: CookieName.session.clearing)
    }

    private func sendToApple(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(
            to: try await deletions.begin(
                in: context.session, returnPath: Self.returnPath, browser: request.browserSecret))
    }

    @Sendable func page(_ request: Request, _ context: ServiceContext) async throws -> Response {
        Response(page: pages.deletion(try await deletion(context)))
    }
}

extension PageRenderer {
    /// The page that asks whether the account is really to be deleted, and says what is deleted with it.
    /// - Parameters:
    ///   - way: The way in which the person proves who they are.
    ///   - isFresh: Whether they have done so just now.
    func deletionQuestion(
        _ account: Account, way: WayToProve = .apple, isFresh: Bool = false, mistake: FormMistake? = nil
    ) -> String {
        struct Password {
            let address: String
            let passwordProblem: String?
        }
        struct Page {
            let frame: PageFrame
            let person: String?
            let apple: Bool
            let provider: ProviderButtonPart?
            let password: Password?
            let isFresh: Bool
            let proof: ProofPart?
            /// The words for somebody who can't prove who they are in a browser.
            let obstacle: String?
        }
        var password: Password?
        if case .password(let address) = way {
            password = Password(address: address, passwordProblem: mistake?.password)
        }
        let isByLink = if case .link = way { true } else { false }
        return render(
            "deletion-question",
            Page(
                frame: frame(title: "Delete your account"), person: account.name?.formatted ?? account.email,
                apple: way == .apple, provider: way.provider.flatMap(provider), password: password,
                isFresh: isByLink && isFresh,
                proof: isByLink && !isFresh ? proof(way, returnPath: DeletionController.path) : nil,
                obstacle: proof(way, returnPath: DeletionController.path).obstacle))
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
            /// Nil where Apple has no part in it.
            let apple: String?
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
                removal: removal, requested: CalendarDay(of: deletion.requestedAt),
                apple: deletion.hasApple ? apple : nil))
    }
}
