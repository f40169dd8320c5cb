import HTTPTypes
import Hummingbird

/// The sheet, page by page: the person says who they are, agrees or cancels, and goes back to the client.
struct AuthorizationEndpoint: Sendable {
    let core: EmulatorCore
    let pages: Pages

    /// `GET /auth/authorize`: checks the request, and asks which person is in front of the screen.
    @Sendable func authorize(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let checked = try check(request)
        let id = core.insertPending(checked)
        return .page(pages.people(core.portal.people, for: checked, id: id))
    }

    /// `GET /auth/authorize/sheet`: shows the person what the app asks for. If no person is given, it shows the first
    /// page again. It changes nothing, so the person can reload it.
    @Sendable func sheet(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let fields = try request.queryFields()
        let id = fields["request"] ?? ""
        let pending = try core.findPending(id)
        guard let personID = fields["person"] else {
            return .page(pages.people(core.portal.people, for: pending, id: id))
        }
        let person = try core.person(personID)
        let place = SignInPlace.sheet(pending, id: id)
        let signIn = SignInEndpoint(core: core, pages: pages)
        if let page = try signIn.missingStepPage(for: person, at: place, request) { return .page(page) }
        do {
            try core.check(Consent(proposedFor: person), of: person)
        } catch {
            return .page(pages.refusal(error, of: person, pending, id: id), status: .forbidden)
        }
        let state = core.current
        return .page(
            pages.sheet(
                pending, person: person, isFirst: state.isFirstAuthorization(person, of: pending.client),
                asking: state.scopesToAsk(pending, person), kept: state.keptEmail(of: person, for: pending.client),
                id: id))
    }

    /// `POST /auth/authorize/decision`: the person pressed Continue or Cancel.
    @Sendable func decide(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        guard !request.isForeign(to: core.portal.baseURL) else {
            throw HTTPRefusal(.invalidRequest, "The sheet can be answered from its own page only.", status: .forbidden)
        }
        let fields = try await request.formFields()
        let id = fields["request"] ?? ""
        switch fields["decision"] {
        case "cancel":
            return deliver(core.cancelled(try core.removePending(id)))
        case "continue":
            let person = try core.person(fields["person"])
            guard core.missingStep(for: person, session: AccountCookie(core).value(in: request)) == nil else {
                let place = SignInPlace.sheet(try core.findPending(id), id: id)
                return .seeOther(place.address(for: person))
            }
            let consent = try consent(of: person, fields)
            try core.check(consent, of: person)
            return deliver(try await core.answer(try core.removePending(id), by: person, consent))
        default:
            throw Refusal(.invalidRequest, "decision must be continue or cancel.")
        }
    }

    private func check(_ request: Request) throws -> AuthorizationRequest {
        do throws(Refusal) {
            var parameters = AuthorizationParameters(try request.queryFields())
            if core.current.behaviour.plusLosesScopes,
                try request.queryFields(plus: .plus)["scope"]?.contains("+") == true
            {
                parameters.scope = nil
            }
            return try core.rules.check(parameters)
        } catch {
            guard core.current.behaviour.refusedAuthorization == .notFound else { throw error }
            throw HTTPRefusal(error, status: .notFound)
        }
    }

    /// The consent in the sheet's form. A field that the person emptied is there and empty; one that the sheet didn't
    /// show is absent.
    private func consent(of person: Portal.Person, _ fields: FormFields) throws(Refusal) -> Consent {
        var consent = Consent(proposedFor: person)
        consent.firstName = fields.verbatim("firstName") ?? consent.firstName
        consent.lastName = fields.verbatim("lastName") ?? consent.lastName
        guard let choice = EmailChoice(fields["email"], of: person) else {
            throw Refusal(.invalidRequest, "email must be one of the choices of the sheet.")
        }
        choice.apply(to: &consent)
        return consent
    }
}

extension AuthorizationEndpoint {
    /// Sends the person back to the client, in the response mode of the request.
    func deliver(_ answer: AuthorizationAnswer) -> Response {
        guard case .redirect(let address, let mode) = answer.destination else {
            // A device never sees these pages: only the control call makes such requests, and answers them itself.
            return .json(answer.fields.map { ($0.name, .string($0.value)) })
        }
        switch mode {
        case .query:
            return .seeOther(address.text + (address.hasQuery ? "&" : "?") + answer.encoded)
        case .fragment:
            return .seeOther(address.text + "#" + answer.encoded)
        case .formPost:
            return .page(pages.delivery(answer, to: address))
        case .webMessage:
            return .page(pages.message(answer, to: messageOrigins(answer, address)))
        }
    }

    /// Returns the origins whose pages may read the response of a popup: that of the redirect URI, and by
    /// ``Behaviour/popupRecipients`` that of any return URL of the client. All are registered, so the response never goes
    /// to an unknown page that opened the window.
    private func messageOrigins(_ answer: AuthorizationAnswer, _ address: WebAddress) -> [String] {
        guard core.current.behaviour.popupRecipients == .anyReturnURL else { return [address.origin] }
        let others = Set(answer.returnURLs.compactMap { WebAddress($0)?.origin }).subtracting([address.origin])
        return [address.origin] + others.sorted()
    }
}
