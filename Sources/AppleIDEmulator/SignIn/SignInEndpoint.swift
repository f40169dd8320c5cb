import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The password and the two-factor step, before the sheet and before the settings.
struct SignInEndpoint: Sendable {
    let core: EmulatorCore
    let pages: Pages

    /// `POST /auth/sign-in/password` with `person`, `password`, and `request` for a sheet.
    @Sendable func password(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let (fields, person, place) = try await read(request)
        guard person.accepts(password: fields["password"] ?? "") else {
            let page = pages.signIn(.password, person, place, complaint: "This is not the password of the account.")
            return .page(page, status: .forbidden)
        }
        let id = core.enterPassword(of: person, replacing: AccountCookie(core).value(in: request))
        return goOn(place, person, session: id)
    }

    /// `POST /auth/sign-in/code` with `person`, `code`, and `request` for a sheet.
    @Sendable func code(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let (fields, person, place) = try await read(request)
        guard Portal.Person.accepts(code: fields["code"] ?? "") else {
            let page = pages.signIn(.code, person, place, complaint: "A verification code has six digits.")
            return .page(page, status: .forbidden)
        }
        let session = AccountCookie(core).value(in: request)
        guard let id = core.enterCode(of: person, session: session) else {
            return .seeOther(place.address(for: person))
        }
        return goOn(place, person, session: id)
    }

    /// The page of the step that is missing before this person gets in; nil when none is.
    func missingStepPage(
        for person: Portal.Person, at place: SignInPlace, _ request: Request
    ) throws -> Page? {
        let session = AccountCookie(core).value(in: request)
        guard let step = core.missingStep(for: person, session: session) else { return nil }
        if session == nil, try request.queryFields()["cookie"] != nil {
            throw Refusal(
                .invalidRequest, "Your browser kept no cookie from here, and without one nobody can sign in.")
        }
        return pages.signIn(step, person, place)
    }

    private func read(_ request: Request) async throws -> (FormFields, Portal.Person, SignInPlace) {
        guard !request.isForeign(to: core.portal.baseURL) else {
            throw HTTPRefusal(.invalidRequest, "These steps can be taken on their own pages only.", status: .forbidden)
        }
        let fields = try await request.formFields()
        let person = try core.person(fields["person"])
        guard let id = fields["request"] else { return (fields, person, .settings) }
        return (fields, person, .sheet(try core.findPending(id), id: id))
    }

    private func goOn(_ place: SignInPlace, _ person: Portal.Person, session id: String) -> Response {
        var response = Response.seeOther(place.address(for: person))
        AccountCookie(core).set(id, in: &response)
        return response
    }
}

/// The place that a person wants to get into.
enum SignInPlace: Sendable {
    /// The sheet of a request under way, known by its name.
    case sheet(AuthorizationRequest, id: String)
    case settings

    /// The address after the steps. It says that a cookie was set, so that the page can tell a browser that keeps none.
    func address(for person: Portal.Person) -> String {
        let query = "person=\(person.id.percentEncoded)&cookie=set"
        return switch self {
        case .sheet(_, let id): "/auth/authorize/sheet?request=\(id.percentEncoded)&\(query)"
        case .settings: "/settings/apps?\(query)"
        }
    }
}

/// The cookie that carries the name of an ``AccountSession``.
///
/// Browsers keep cookies by host and not by port, so the port is in its name: several emulators on one machine do not
/// sign each other's people out.
@available(siwaServer 1.0, *)
struct AccountCookie: Sendable {
    private let name: String
    private let isSecure: Bool

    init(_ core: EmulatorCore) {
        let address = WebAddress(core.portal.baseURL)
        isSecure = address?.scheme == "https"
        name = "siwa-emulator-account-\(address?.port ?? (isSecure ? 443 : 80))"
    }

    func value(in request: Request) -> String? { request.cookies[name]?.value }

    /// `Lax`: apps send people here from other sites.
    func set(_ value: String, in response: inout Response) {
        response.headers[.setCookie] =
            "\(name)=\(value); Path=/; Max-Age=\(AccountSession.lifetime); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }
}

extension EmulatorCore {
    /// Returns the step that the person has still to take; nil if none, or if the emulator asks for no passwords.
    func missingStep(for person: Portal.Person, session: String?) -> SignInStep? {
        guard configuration.asksPassword else { return nil }
        return current.accountSessions.missingStep(for: person, session: session, at: environment.seconds)
    }

    /// The name of a new session.
    func enterPassword(of person: Portal.Person, replacing old: String?) -> String {
        let id = randomness.pageID()
        change { $0.accountSessions.enterPassword(of: person, replacing: old, newID: id, at: environment.seconds) }
        return id
    }

    /// The session's new name; nil when the password has to be entered first.
    func enterCode(of person: Portal.Person, session: String?) -> String? {
        let id = randomness.pageID()
        return change { $0.accountSessions.enterCode(of: person, session: session, newID: id, at: environment.seconds) }
    }
}
