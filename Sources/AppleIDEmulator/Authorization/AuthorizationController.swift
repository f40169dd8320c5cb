import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The sheet, page by page: who are you, do you agree, and the way back to the client.
struct AuthorizationController: Sendable {
    let authority: Authority
    let pages: Pages

    /// `GET /auth/authorize`: checks the request, and asks which person is in front of the screen.
    @Sendable func authorize(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let checked = try authority.rules.check(AuthorizationParameters(request.queryFields()))
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
        let isFirst = authority.isFirstAuthorization(person, of: pending.client)
        return .page(pages.sheet(pending, person: person, isFirst: isFirst, id: id))
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
            let consent = consent(of: person, fields)
            try consent.checkLengths()
            return deliver(try await authority.answer(try authority.takePending(id), by: person, consent))
        default:
            throw Refusal(.invalidRequest, "decision must be continue or cancel.")
        }
    }

    /// A field that was emptied is there and empty; one that was not shown is absent.
    private func consent(of person: Portal.Person, _ fields: FormFields) -> Consent {
        var consent = Consent(proposedFor: person)
        consent.firstName = fields.verbatim("firstName") ?? consent.firstName
        consent.lastName = fields.verbatim("lastName") ?? consent.lastName
        consent.hidesEmail = fields["email"] == "hide"
        return consent
    }
}
