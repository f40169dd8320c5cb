import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The sheet, page by page: who are you, do you agree, and the way back to the client.
struct AuthorizationController: Sendable {
    let authority: Authority
    let pages: Pages

    /// `GET /auth/authorize`: checks the request, and asks which person is in front of the screen.
    @Sendable func authorize(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let checked = try check(request)
        let id = authority.begin(checked)
        return .page(pages.people(authority.portal.people, for: checked, id: id))
    }

    /// `GET /auth/authorize/sheet`: shows the person what the app asks for, or the first page again without
    /// a person. Nothing happens yet; it can be reloaded.
    @Sendable func sheet(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let fields = try request.queryFields()
        let id = fields["request"] ?? ""
        let pending = try authority.pendingRequest(id)
        guard let personID = fields["person"] else {
            return .page(pages.people(authority.portal.people, for: pending, id: id))
        }
        let person = try authority.person(personID)
        let place = SignInPlace.sheet(pending, id: id)
        if let page = try authority.missingStepPage(for: person, at: place, request, pages) { return .page(page) }
        do {
            try authority.check(Consent(proposedFor: person), of: person)
        } catch {
            return .page(pages.refusal(error, of: person, pending, id: id), status: .forbidden)
        }
        let state = authority.current
        return .page(
            pages.sheet(
                pending, person: person, isFirst: state.isFirstAuthorization(person, of: pending.client),
                asking: state.scopesToAsk(pending, person), kept: state.keptEmail(of: person, for: pending.client),
                id: id))
    }

    /// `POST /auth/authorize/decision`: the person pressed Continue or Cancel.
    @Sendable func decide(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        guard !request.isForeign(to: authority.portal.baseURL) else {
            throw Refusal(.invalidRequest, "The sheet can be answered from its own page only.", status: .forbidden)
        }
        let fields = try await request.formFields()
        let id = fields["request"] ?? ""
        switch fields["decision"] {
        case "cancel":
            return deliver(authority.cancelled(try authority.takePending(id)))
        case "continue":
            let person = try authority.person(fields["person"])
            guard authority.missingStep(for: person, session: authority.accountCookie.value(in: request)) == nil else {
                let place = SignInPlace.sheet(try authority.pendingRequest(id), id: id)
                return .seeOther(place.address(for: person))
            }
            let consent = try consent(of: person, fields)
            try authority.check(consent, of: person)
            return deliver(try await authority.answer(try authority.takePending(id), by: person, consent))
        default:
            throw Refusal(.invalidRequest, "decision must be continue or cancel.")
        }
    }

    private func check(_ request: Request) throws(Refusal) -> AuthorizationRequest {
        do throws(Refusal) {
            var parameters = AuthorizationParameters(try request.queryFields())
            if authority.current.quirks.contains(.plusLosesScopes),
                try request.queryFields(plus: .plus)["scope"]?.contains("+") == true
            {
                parameters.scope = nil
            }
            return try authority.rules.check(parameters)
        } catch {
            guard authority.current.quirks.contains(.refusedAuthorizeIsNotFound) else { throw error }
            throw Refusal(error.code, error.description, status: .notFound)
        }
    }

    /// A field that was emptied is there and empty; one that was not shown is absent.
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
