import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The person in front of a page of the settings, who is signed in if the emulator asks for passwords.
struct SettingsVisitor: Sendable {
    let person: Portal.Person
    let fields: FormFields
    /// The account session of this browser.
    let session: String?

    /// Answers the request for a page. If the person has to sign in first, the answer is the page of the missing step.
    static func page(
        _ request: Request, _ core: EmulatorCore, _ pages: Pages, answer: (SettingsVisitor) throws -> Response
    ) throws -> Response {
        let fields = try request.queryFields()
        let person = try core.person(fields["person"])
        let signIn = SignInEndpoint(core: core, pages: pages)
        if let page = try signIn.missingStepPage(for: person, at: .settings, request) { return .page(page) }
        return try answer(Self(person: person, fields: fields, session: AccountCookie(core).value(in: request)))
    }

    /// Answers a form. If the person isn't signed in any more, nothing happens, and the person begins again.
    static func form(
        _ request: Request, _ core: EmulatorCore, answer: (SettingsVisitor) async throws -> Response
    ) async throws -> Response {
        let fields = try await request.formFields()
        let person = try core.person(fields["person"])
        let session = AccountCookie(core).value(in: request)
        guard core.missingStep(for: person, session: session) == nil else {
            return .seeOther(address("apps", of: person))
        }
        return try await answer(Self(person: person, fields: fields, session: session))
    }

    /// The app that the fields name, by its primary App ID.
    var grantKey: Grant.Key {
        get throws(Refusal) {
            guard let app = fields["app"] else { throw Refusal(.invalidRequest, "app is missing.") }
            return Grant.Key(person: person.id, group: ClientID(app))
        }
    }

    /// A page of these settings.
    static func address(
        _ page: String, of person: Portal.Person, app: ClientID? = nil, notice: SettingsNotice? = nil
    ) -> String {
        "/settings/\(page)?person=\(person.id.percentEncoded)"
            + (app.map { "&app=\($0.rawValue.percentEncoded)" } ?? "")
            + (notice.map { "&done=\($0.rawValue)" } ?? "")
    }
}

/// The notice of a change, at the top of the page that follows. In addresses it is a word, never a text.
enum SettingsNotice: String, Sendable {
    case stopped
    case forwarding
    case notForwarding = "not-forwarding"
    case password
    case deleted

    var text: String {
        switch self {
        case .stopped: "The app is not used with this account any more. To it, the next sign-in is a first one."
        case .forwarding: "Mail to the address is forwarded again."
        case .notForwarding: "Mail to the address is not forwarded any more."
        case .password: "The password is changed. Apps have to ask again."
        case .deleted: "The Apple Account is deleted, and every app that it was used with is told."
        }
    }
}
