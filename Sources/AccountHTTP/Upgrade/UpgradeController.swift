import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// The upgrade of an account with an email address to Sign in with Apple: for programs, and on a page.
struct UpgradeController: Sendable {
    static let path = returnPath.rawValue
    private static let returnPath = ReturnPath(ofOwnPage: "/account/upgrade")

    let upgrades: Upgrades
    let ways: WaysInLookup
    let proofs: FreshProofs
    let responses: AccountResponses
    let texts: ConsentTexts
    let pages: PageRenderer
    let body: JSONBody
    let limits: HTTPLimits
    let callers: CallerReader
    /// The policy of the page whose form leads to Apple.
    let policy: ContentSecurityPolicy

    @Sendable func upgrade(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(AccountUpgradeRequest.self, from: request)
        let done = try await upgrades.upgrade(
            context.session, with: NativeSignIn(input),
            consent: input.consent.map(ConsentGiven.init),
            endingOthers: input.endOtherSessions, from: callers.caller(of: request, context))
        return try Response(
            json: AccountUpgradeAnswer(
                account: try await responses.body(of: done.account), accessToken: done.accessToken,
                expiresIn: Int(done.expiresIn.components.seconds)))
    }

    // MARK: Pages

    /// The reason why Apple's answer did not end in an upgrade. The query of the page names it.
    enum Refusal: String, CaseIterable {
        case consent, used, late
    }

    private static let keptField = "keep"
    private static let returnPathKeepingOthers = ReturnPath(ofOwnPage: "/account/upgrade?keep")

    /// The path of the page with the choice that the person made on it.
    private static func returnPath(keepingOthers: Bool) -> ReturnPath {
        keepingOthers ? returnPathKeepingOthers : returnPath
    }

    private static func path(_ page: String, after refusal: Refusal) -> String {
        "\(page)\(page.contains("?") ? "&" : "?")\(refusal.rawValue)"
    }

    /// The path of the page that says why Apple's answer did not end in an upgrade.
    /// - Parameter page: The page that the person went to Apple from.
    static func path(after code: AccountError.Code, at page: ReturnPath) -> String {
        path(page.rawValue, after: code == .consentRequired ? .consent : .used)
    }

    @Sendable func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let query = try FormFields(queryOf: request, for: Refusal.consent.rawValue)
        // Another tab may have come back from Apple meanwhile.
        guard try await ways.waysIn(thatOpened: context.session.session).emailIdentity != nil else {
            return Response(seeOther: ReturnPath.account.rawValue)
        }
        let refusal = Refusal.allCases.first { query[$0.rawValue] != nil }
        return Response(
            page: try await page(
                for: request, context.session,
                UpgradeForm(refusal: refusal, endsOthers: query[Self.keptField] == nil)),
            policy: policy)
    }

    /// Sends the browser to Apple, after the password once more unless the sign-in is recent.
    @Sendable func sendToApple(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let consent = form.consent
        let filled = UpgradeForm(agreedVersion: consent?.textVersion, endsOthers: form["endOthers"] != nil)
        return try await mending(in: .password) {
            guard let password = form["password"], !proofs.isFresh(context.session) else {
                return try await begin(in: context.session, filled, consent, request)
            }
            return try await proofs.renewing(
                context.session, password: password, of: request, from: callers.caller(of: request, context),
                orBackTo: Self.returnPath(keepingOthers: !filled.endsOthers).rawValue
            ) { session in
                try await begin(in: session, filled, consent, request)
            }
        } page: { mistake in
            var filled = filled
            filled.mistake = mistake
            return (try await page(for: request, context.session, filled), policy)
        }
    }

    private func begin(
        in session: StoredSession, _ form: UpgradeForm, _ consent: ConsentGiven?, _ request: Request
    ) async throws -> Response {
        let back = Self.returnPath(keepingOthers: !form.endsOthers)
        do {
            return Response(
                to: try await upgrades.begin(
                    in: session, consent: consent, endingOthers: form.endsOthers, returnPath: back,
                    browser: request.browserSecret))
        } catch let error as AccountError where error.code == .requiresRecentLogin {
            return Response(seeOther: Self.path(back.rawValue, after: .late))
        }
    }

    private func page(
        for request: Request, _ session: StoredSession, _ form: UpgradeForm
    ) async throws -> String {
        let ways = try await self.ways.waysIn(thatOpened: session.session)
        guard let address = ways.emailIdentity else {
            throw AccountError(.notByPassword, "this session is not of an address to sign in with")
        }
        let isFresh = proofs.isFresh(session)
        return pages.upgrade(
            address: address, form, asksPassword: !isFresh && ways.acceptsPassword,
            asksLink: !isFresh && !ways.acceptsPassword,
            alwaysNeedsConsent: try await upgrades.needsConsentToToldAddress(in: session.session),
            text: try texts.text(ConsentTexts.currentWord, languages: request.acceptedLanguages))
    }
}

/// The form of an upgrade, as it was filled in.
struct UpgradeForm {
    /// The reason why the last try did not end in an upgrade.
    var refusal: UpgradeController.Refusal?
    /// The version of the text whose box was ticked; nil if it wasn't.
    var agreedVersion: String?
    var endsOthers = true
    var mistake: FormMistake?
}

extension PageRenderer {
    /// The page that explains the upgrade, and leads to Apple.
    /// - Parameters:
    ///   - asksPassword: Whether the sign-in is not recent, and the account has a password.
    ///   - asksLink: Whether the sign-in is not recent, and the account has no password.
    ///   - alwaysNeedsConsent: Whether the person has to agree also if they share their address at Apple, because
    ///     another Apple Account of the account hides it.
    ///   - text: The text that people agree to.
    func upgrade(
        address: String, _ form: UpgradeForm, asksPassword: Bool, asksLink: Bool, alwaysNeedsConsent: Bool,
        text: ConsentTexts.Text
    ) -> String {
        struct Notice {
            let title: String
            let text: String
        }
        struct Agreement {
            let version: String
            let language: String
            let paragraphs: [String]
            let isAgreed: Bool
            let isAlwaysNeeded: Bool
            let consentProblem: String?
        }
        struct Form {
            let asksPassword: Bool
            let passwordProblem: String?
            let consent: Agreement
            let endsOthers: Bool
            let button: PageButton
        }
        struct Page {
            let frame: PageFrame
            let notice: Notice?
            let email: EmailText
            let address: String
            let proof: ProofPart?
            let form: Form?
        }
        let notice: Notice? =
            switch form.refusal {
            case .used:
                Notice(
                    title: "That Apple Account is in use.",
                    text:
                        "It signs in to another account here. Nothing was changed. Use another Apple Account, or sign "
                        + "out and sign in with Apple to get to that other account.")
            case .consent where alwaysNeedsConsent:
                Notice(title: "We need your consent.", text: "Nothing was changed. Agree to the text below.")
            case .consent:
                Notice(
                    title: "You hid your address at Apple.",
                    text: "Nothing was changed. Agree to the text below, or share your address at Apple.")
            case .late:
                Notice(
                    title: "That took too long.",
                    text: "Nothing was changed. Prove once more that it is you, and try again.")
            case nil: nil
            }
        let shown = ConsentPageText(text)
        let problem =
            alwaysNeedsConsent
            ? "To use your Apple Account, agree to the text above."
            : "To hide your address at Apple, agree to the text above."
        let agreement = Agreement(
            version: shown.version, language: shown.language, paragraphs: shown.paragraphs,
            isAgreed: form.agreedVersion == shown.version, isAlwaysNeeded: alwaysNeedsConsent,
            consentProblem: form.refusal == .consent ? problem : nil)
        return render(
            "upgrade",
            Page(
                frame: frame(title: "Use Sign in with Apple"), notice: notice, email: EmailText(address),
                address: address,
                proof: asksLink ? proof(.link(address: address), returnPath: UpgradeController.path) : nil,
                form: asksLink
                    ? nil
                    : Form(
                        asksPassword: asksPassword, passwordProblem: form.mistake?.password, consent: agreement,
                        endsOthers: form.endsOthers, button: button(.continue))))
    }
}
