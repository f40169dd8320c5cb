import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The texts that people agree to, and the consents of a person: for programs, and on pages.
struct ConsentController: Sendable {
    static let path = "/account/consents"

    let consents: Consents
    let pages: PageRenderer
    let callers: CallerReader
    let proofs: FreshProofs
    let responses: AccountResponses
    /// The policy of the page whose form may lead to Apple.
    let policy: ContentSecurityPolicy

    // MARK: Calls

    @Sendable func text(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let text = try consents.texts.text(
            context.parameters.get("version") ?? "", languages: request.acceptedLanguages)
        return try Response(
            headers: [.vary: "Accept-Language", .contentLanguage: text.language],
            json: ConsentTextAnswer(version: text.version, language: text.language, text: text.text))
    }

    @Sendable func list(_ request: Request, _ context: SessionContext) async throws -> Response {
        let list = try await consents.list(of: context.session.account.id)
        return try Response(json: ConsentListAnswer(consents: list.map { ConsentBody($0) }))
    }

    @Sendable func withdraw(_ request: Request, _ context: SessionContext) async throws -> Response {
        let done = try await consents.withdraw(
            try Self.id(context), in: context.session, from: callers.caller(of: request, context))
        let current = context.session.session.identityID
        return try Response(
            json: ConsentWithdrawalAnswer(
                account: try await responses.body(of: done.account),
                unlinked: LinkListAnswer(done.unlinked, current: current).links,
                kept: LinkListAnswer(done.kept, current: current).links, endsSession: done.endsSession,
                manualRemoval: done.needsManualRemoval ? .ofApp(pages.appName) : nil))
    }

    // MARK: Pages

    @Sendable func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let list = try await consents.list(of: context.session.account.id)
        return Response(
            page: pages.consents(list, texts: consents.texts, languages: request.acceptedLanguages))
    }

    @Sendable func ask(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let account = context.session.account
        let id = try Self.id(context)
        let list = try await consents.list(of: account.id)
        guard let consent = list.first(where: { $0.id == id && $0.withdrawnAt == nil }) else {
            throw AccountError(.consentUnknown, "this account has no consent with this id, or it was withdrawn")
        }
        let parting = try await consents.parting(from: id, in: context.session)
        let asksFirst = !parting.unlinked.isEmpty && !proofs.isFresh(context.session)
        return Response(
            page: pages.consentQuestion(
                consent, of: account, unlinked: parting.unlinked, kept: parting.kept,
                way: asksFirst ? try await proofs.wayToProve(of: context.session) : nil),
            policy: policy)
    }

    /// Withdraws a consent. If it was withdrawn meanwhile, that is what the person wanted: the list shows it.
    @Sendable func withdrawOnPage(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let id = try Self.id(context)
        do {
            let done = try await consents.withdraw(
                id, in: context.session, from: callers.caller(of: request, context))
            return pages.afterRemoval(
                needsSteps: done.needsManualRemoval, endsSession: done.endsSession, listedAt: Self.path)
        } catch let error as AccountError where error.code == .consentUnknown {
            return Response(seeOther: Self.path)
        } catch let error as AccountError where error.code == .requiresRecentLogin {
            // The question asks for the proof.
            return Response(seeOther: "\(Self.path)/\(id.rawValue)/withdraw")
        }
    }

    // MARK: Reading

    private static func id(_ context: some RequestContext) throws -> ConsentID {
        guard let id = context.parameters.get("id").flatMap({ ConsentID(receivedText: $0) }) else {
            throw HTTPFailure(.consentUnknown, "This is no id of a consent.")
        }
        return id
    }
}

extension ConsentBody {
    fileprivate init(_ consent: Consent) {
        self.init(
            id: consent.id.rawValue, purpose: Purpose(rawValue: consent.purpose.rawValue),
            textVersion: consent.textVersion, givenAt: APITime(consent.givenAt),
            withdrawnAt: consent.withdrawnAt.map { APITime($0) }, clientID: consent.clientID.rawValue,
            device: consent.caller.device?.rawValue)
    }
}

extension PageRenderer {
    /// The page with the consents of a person.
    func consents(_ consents: [Consent], texts: ConsentTexts, languages: [String]) -> String {
        struct Row {
            let id: String
            let purpose: String
            let given: CalendarDay
            let withdrawn: CalendarDay?
            let app: String
            let device: String?
            let textVersion: String
        }
        struct Page {
            let frame: PageFrame
            let hasAny: Bool
            let rows: [Row]
            /// Each text once. One that the operator has taken away is missing.
            let texts: [ConsentPageText]
        }
        let rows = consents.map { consent in
            Row(
                id: consent.id.rawValue, purpose: consent.purpose.title, given: CalendarDay(of: consent.givenAt),
                withdrawn: consent.withdrawnAt.map { CalendarDay(of: $0) },
                app: appNames[consent.clientID] ?? appName, device: consent.caller.device?.rawValue,
                textVersion: consent.textVersion)
        }
        var versions: [String] = []
        for consent in consents where !versions.contains(consent.textVersion) { versions.append(consent.textVersion) }
        let shown = versions.compactMap { version in
            (try? texts.text(version, languages: languages)).map { ConsentPageText($0) }
        }
        return render(
            "consents",
            Page(frame: frame(title: "What you agreed to"), hasAny: !rows.isEmpty, rows: rows, texts: shown))
    }

    /// Asks whether a consent is withdrawn, and shows the data that goes with it.
    /// - Parameters:
    ///   - unlinked: The ways in that go with it.
    ///   - kept: The ways in that came with it and can't go.
    ///   - way: The way of the proof that has to come first. Nil where none has to.
    func consentQuestion(
        _ consent: Consent, of account: Account, unlinked: [LinkedIdentity] = [], kept: [LinkedIdentity] = [],
        way: WayToProve? = nil
    ) -> String {
        struct Way {
            let name: String
            let address: EmailText?
        }
        struct Page {
            let frame: PageFrame
            let id: String
            let what: String
            let value: String?
            let unlinked: [Way]
            let kept: [Way]
            /// Whether nothing goes but the consent itself.
            let removesNothing: Bool
            let proof: ProofPart?
        }
        func shown(_ identity: LinkedIdentity) -> Way {
            Way(name: title(of: identity), address: identity.address.map { EmailText($0) })
        }
        let (what, value) =
            switch consent.purpose {
            case .contactEmail: ("your contact address", account.contactEmail ?? account.pendingContactEmail)
            case .phone: ("your phone number", account.phone)
            case .linkedIdentity where !unlinked.isEmpty:
                ("the way to sign in that joined your account with it", nil as String?)
            case .linkedIdentity where !kept.isEmpty: ("nothing", nil as String?)
            case .linkedIdentity: ("nothing: the way to sign in that it is about is gone already", nil as String?)
            default: ("everything that you allowed with it", nil as String?)
            }
        return render(
            "consent-question",
            Page(
                frame: frame(title: "Withdraw your consent"), id: consent.id.rawValue, what: what, value: value,
                unlinked: unlinked.map(shown), kept: kept.map(shown),
                removesNothing: consent.purpose == .linkedIdentity && unlinked.isEmpty,
                proof: way.map {
                    proof($0, returnPath: "\(ConsentController.path)/\(consent.id.rawValue)/withdraw")
                }))
    }
}

extension ConsentGiven {
    /// The consent in the body of a call.
    init(_ body: ConsentGivenBody) {
        self.init(textVersion: body.textVersion)
    }
}

extension FormFields {
    /// The consent of the form's checkbox, whose value is the version of the text beside it. Nil for a value that is no
    /// version: the page then asks once more.
    var consent: ConsentGiven? {
        guard let version = self["consent"], ConsentTexts.versionLength.contains(version.utf8.count) else { return nil }
        return ConsentGiven(textVersion: version)
    }
}

extension Consent.Purpose {
    /// The name of the data that the service keeps, for people.
    fileprivate var title: String {
        switch self {
        case .contactEmail: "Contact address"
        case .phone: "Phone number"
        case .linkedIdentity: "Another way to sign in"
        default: rawValue
        }
    }
}
