import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The password and the two-factor step, before the sheet and before the settings.
struct SignInController: Sendable {
    let authority: Authority
    let pages: Pages

    /// `POST /auth/sign-in/password` with `person`, `password`, and `request` for a sheet.
    @Sendable func password(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let (fields, person, place) = try await read(request)
        guard person.accepts(password: fields["password"] ?? "") else {
            let page = pages.signIn(.password, person, place, complaint: "This is not the password of the account.")
            return .page(page, status: .forbidden)
        }
        let id = authority.enterPassword(of: person, replacing: authority.accountCookie.value(in: request))
        return goOn(place, person, session: id)
    }

    /// `POST /auth/sign-in/code` with `person`, `code`, and `request` for a sheet.
    @Sendable func code(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let (fields, person, place) = try await read(request)
        guard Portal.Person.accepts(code: fields["code"] ?? "") else {
            let page = pages.signIn(.code, person, place, complaint: "A verification code has six digits.")
            return .page(page, status: .forbidden)
        }
        let session = authority.accountCookie.value(in: request)
        guard let id = authority.enterCode(of: person, session: session) else {
            return .seeOther(place.address(for: person))
        }
        return goOn(place, person, session: id)
    }

    private func read(_ request: Request) async throws -> (FormFields, Portal.Person, SignInPlace) {
        guard !request.isForeign(to: authority.portal.baseURL) else {
            throw Refusal(.invalidRequest, "These steps can be taken on their own pages only.", status: .forbidden)
        }
        let fields = try await request.formFields()
        let person = try authority.person(fields["person"])
        guard let id = fields["request"] else { return (fields, person, .settings) }
        return (fields, person, .sheet(try authority.pendingRequest(id), id: id))
    }

    private func goOn(_ place: SignInPlace, _ person: Portal.Person, session id: String) -> Response {
        var response = Response.seeOther(place.address(for: person))
        authority.accountCookie.set(id, in: &response)
        return response
    }
}
