import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Changes what a person says about themselves: for programs, and on a page.
struct ProfileController: Sendable {
    static let path = "/account/profile"

    let profiles: Profiles
    let consents: Consents
    let pages: PageRenderer
    let body: JSONBody
    let limits: HTTPLimits
    let callers: CallerReader
    let ways: WaysInLookup
    let responses: AccountResponses
    /// Whether a contact address can be confirmed: the service sends mail, and people can sign in where its link leads.
    let confirmsContacts: Bool

    @Sendable func update(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(ProfileUpdateRequest.self, from: request)
        let account = try await update(
            try ProfileUpdate(input), in: context.session, from: callers.caller(of: request, context))
        return Response(json: AccountAnswer(account: try await responses.body(of: account)))
    }

    private func update(
        _ update: ProfileUpdate, in session: StoredSession, from caller: Caller
    ) async throws -> Account {
        if case .set = update.contactEmail, !confirmsContacts {
            throw HTTPFailure(.mailNotConfigured, "This service can’t verify a contact address.")
        }
        return try await profiles.update(update, in: session, from: caller)
    }

    // MARK: Pages

    /// The outcome of the form that the person sent. The query of the page names it.
    enum Outcome: String, CaseIterable {
        case saved, sent, confirmed

        /// The address of the page that says so.
        var path: String { "\(ProfileController.path)?\(rawValue)" }

        var text: String {
            switch self {
            case .saved: "Your profile is saved."
            case .sent: "We have sent you a link. Open it to confirm the address."
            case .confirmed: "Your contact address is confirmed."
            }
        }
    }

    @Sendable func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let query = try FormFields(queryOf: request, for: Outcome.saved.rawValue)
        let outcome = Outcome.allCases.first { query[$0.rawValue] != nil }
        return Response(page: try await page(of: context, for: request, outcome: outcome))
    }

    @Sendable func saveName(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let name = PersonName(
            givenName: form["givenName"], familyName: form["familyName"], middleName: form["middleName"],
            namePrefix: form["namePrefix"], nameSuffix: form["nameSuffix"], nickname: form["nickname"])
        return try await save(
            ProfileUpdate(name: form.removes ? .remove : name.map { .set($0) } ?? .remove), request, context)
    }

    @Sendable func savePhone(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        if form.removes { return try await save(ProfileUpdate(phone: .remove), request, context) }
        let typed = form["phone"] ?? ""
        return try await saving(form, .phone, typed, request, context) {
            try await save(
                ProfileUpdate(phone: .set(try PhoneNumber(Self.digits(typed))), consent: form.consent), request,
                context)
        }
    }

    @Sendable func saveContactEmail(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        if form.removes { return try await save(ProfileUpdate(contactEmail: .remove), request, context) }
        let typed = form["contactEmail"] ?? ""
        return try await saving(form, .contactEmail, typed, request, context) {
            if form["again"] != nil {
                _ = try await profiles.resendContactLink(
                    in: context.session, from: callers.caller(of: request, context))
                return Response(seeOther: Outcome.sent.path)
            }
            let address = try EmailAddress(typed.trimmed)
            return try await save(
                ProfileUpdate(contactEmail: .set(address), consent: form.consent), request, context)
        }
    }

    private func save(
        _ update: ProfileUpdate, _ request: Request, _ context: BrowserContext
    ) async throws -> Response {
        let account = try await self.update(
            update, in: context.session, from: callers.caller(of: request, context))
        if case .set = update.contactEmail, account.pendingContactEmail != nil {
            return Response(seeOther: Outcome.sent.path)
        }
        return Response(seeOther: Outcome.saved.path)
    }

    /// Shows the form again, with what the person typed, if they can mend it.
    private func saving(
        _ form: FormFields, _ member: ProfileMistake.Member, _ typed: String, _ request: Request,
        _ context: BrowserContext, _ operation: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await operation()
        } catch let error as AccountError {
            let problem: ProfileMistake.Problem
            switch error.code {
            case .requestInvalid: problem = .invalid
            case .consentRequired: problem = .consent
            case .rateLimited: problem = .tooOften
            case .linkUnknown: problem = .nothingWaits
            default: throw error
            }
            let failure = HTTPFailure(of: error)
            let mistake = ProfileMistake(
                member: member, problem: problem, typed: typed.shownAgain,
                agreedVersion: problem == .consent ? nil : form.consent?.textVersion)
            return Response(
                status: failure.code.status, headers: failure.headers,
                page: try await page(of: context, for: request, mistake: mistake))
        }
    }

    private func page(
        of context: BrowserContext, for request: Request, outcome: Outcome? = nil, mistake: ProfileMistake? = nil
    ) async throws -> String {
        let account = context.session.account
        let ways = try await self.ways.waysIn(of: account.id)
        let missing = try await consents.missing(for: account.id)
        let text = try missing.map { missing in
            try consents.texts.text(missing.textVersion, languages: request.acceptedLanguages)
        }
        return pages.profile(
            account, isByApple: ways.apple, purposes: missing?.purposes ?? [], text: text,
            confirmsContacts: confirmsContacts,
            outcome: outcome?.text, mistake: mistake)
    }

    // MARK: Reading

    /// The number without what people put between its digits. A zero in parentheses isn't dialed from abroad.
    private static func digits(_ typed: String) -> String {
        typed.replacing("(0)", with: "").filter { !$0.isWhitespace && !"-‐‑–().\u{2F}".contains($0) }
    }
}

extension FormFields {
    /// Whether the button Remove was pressed.
    fileprivate var removes: Bool { self["remove"] != nil }
}

extension ProfileUpdate {
    fileprivate init(_ request: ProfileUpdateRequest) throws {
        self.init(
            name: try Edit(request.name) { name in
                guard let name = PersonName(name) else {
                    throw HTTPFailure.invalidRequest("name", "has no part with a text in it")
                }
                return name
            },
            contactEmail: try Edit(request.contactEmail) { try EmailAddress($0) },
            phone: try Edit(request.phone) { try PhoneNumber($0) },
            consent: request.consent.map(ConsentGiven.init))
    }
}

extension ProfileUpdate.Edit {
    fileprivate init<Body>(_ edit: MemberEdit<Body>, _ value: (Body) throws -> Value) rethrows {
        switch edit {
        case .unchanged: self = .unchanged
        case .remove: self = .remove
        case .set(let body): self = .set(try value(body))
        }
    }
}
