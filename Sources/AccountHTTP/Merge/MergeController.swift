import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// Makes one account of two that a person has: for programs, and on a page.
struct MergeController: Sendable {
    static let path = "/account/merge"

    let merges: Merges
    let responses: AccountResponses
    let texts: ConsentTexts
    let pages: PageRenderer
    let body: JSONBody
    let limits: HTTPLimits
    let callers: CallerReader

    // MARK: Calls

    @Sendable func preview(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(MergePreviewRequest.self, from: request)
        let plan = try await merges.plan(with: Self.handle(input.handle), in: context.session)
        return try Response(json: MergePreviewAnswer(plan))
    }

    @Sendable func merge(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(MergeRequest.self, from: request)
        guard let confirmation = MergeConfirmation(rawValue: input.plan) else {
            throw HTTPFailure.invalidRequest("plan", "is not the plan of a preview")
        }
        let merged = try await merges.merge(
            with: Self.handle(input.handle), confirming: confirmation,
            consent: input.consent.map(ConsentGiven.init), in: context.session,
            from: callers.caller(of: request, context))
        return try Response(
            json: MergeAnswer(
                from: merged.from.rawValue, account: try await responses.body(of: merged.account),
                mergedAt: APITime(merged.mergedAt)))
    }

    private static func handle(_ text: String) throws(HTTPFailure) -> ConflictHandle {
        guard let handle = ConflictHandle(rawValue: text) else {
            throw HTTPFailure(.handleInvalid, "This is no handle.")
        }
        return handle
    }

    // MARK: Pages

    /// Says how a merge begins. It begins with a conflict.
    @Sendable func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(
            page: pages.done(
                heading: "Two accounts become one",
                [
                    "This can’t be undone.",
                    "Sign in to the account that you want to keep. Then add the way to sign in that the other account "
                        + "has, such as its Apple Account. You can’t begin with an email address. We then tell you that "
                        + "it has an account already, and ask whether you want one account.",
                ], action: .account))
    }

    /// Lists what moves and what is lost. The handle came with the page that told of the conflict.
    @Sendable func ask(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        return try await LinkPageController.unlessLate {
            try await question(Self.handle(form["handle"] ?? ""), problem: nil, request, context)
        }
    }

    /// Merges the accounts as the person has seen them. If that has changed, they see the new list.
    @Sendable func confirm(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        return try await LinkPageController.unlessLate { try await confirm(form, request, context) }
    }

    private func confirm(
        _ form: FormFields, _ request: Request, _ context: BrowserContext
    ) async throws -> Response {
        let handle = try Self.handle(form["handle"] ?? "")
        let changed = "The accounts have changed meanwhile. Look at the list once more."
        guard let confirmation = form["plan"].flatMap({ MergeConfirmation(rawValue: $0) }) else {
            return try await question(handle, problem: changed, request, context)
        }
        do {
            _ = try await merges.merge(
                with: handle, confirming: confirmation,
                consent: form.consent, in: context.session,
                browser: Self.browser(of: request), from: callers.caller(of: request, context))
        } catch let error as AccountError where error.code == .mergeChanged {
            return try await question(handle, problem: changed, request, context)
        } catch let error as AccountError where error.code == .consentRequired {
            return try await question(
                handle, problem: "To make one account of both, agree to the text below.", request, context)
        }
        return Response(
            page: pages.done(
                heading: "You have one account now",
                ["Everything that the list showed has moved. Wherever you used the other account, sign in again."],
                action: .account))
    }

    /// The handle of a page works in the browser alone that came back from Apple or another provider.
    private static func browser(of request: Request) throws(HTTPFailure) -> BrowserSecret {
        guard let browser = request.browserSecret else {
            throw HTTPFailure(.handleInvalid, "This browser has no handle.")
        }
        return browser
    }

    private func question(
        _ handle: ConflictHandle, problem: String?, _ request: Request, _ context: BrowserContext
    ) async throws -> Response {
        let plan = try await merges.plan(
            with: handle, in: context.session, browser: Self.browser(of: request))
        let text = try texts.text(ConsentTexts.currentWord, languages: request.acceptedLanguages)
        return Response(
            status: problem == nil ? .ok : .conflict,
            page: pages.mergeQuestion(plan, handle: handle, text: text, problem: problem))
    }
}

extension MergePreviewAnswer {
    fileprivate init(_ plan: MergePlan) {
        self.init(
            from: plan.from.rawValue, into: plan.into.rawValue,
            moves: MergeMoves(
                links: plan.moves.identities.map { LinkBody($0) }, profile: plan.moves.profile.map(\.rawValue),
                consents: plan.moves.consents),
            losses: MergeLosses(
                links: plan.losses.identities.map { LinkBody($0) }, profile: plan.losses.profile.map(\.rawValue),
                sessions: plan.losses.sessions),
            consent: plan.consent.map { RequiredConsent($0) }, plan: plan.confirmation.rawValue,
            expiresAt: APITime(plan.expiresAt))
    }
}
