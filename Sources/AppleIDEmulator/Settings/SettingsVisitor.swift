import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The person in front of a page of the settings, who is signed in if the emulator asks for passwords.
struct SettingsVisitor: Sendable {
    let person: Portal.Person
    let fields: FormFields
    /// The account session of this browser.
    let session: String?

    /// The visitor, or the response for a person who has to sign in first.
    enum Arrival: Sendable {
        case visitor(SettingsVisitor)
        case missing(Response)
    }

    /// Returns the visitor of a page.
    static func arrival(_ request: Request, _ core: EmulatorCore, _ pages: Pages) throws -> Arrival {
        let fields = try request.queryFields()
        let person = try core.person(fields["person"])
        let signIn = SignInEndpoint(core: core, pages: pages)
        if let page = try signIn.missingStepPage(for: person, at: .settings, request) { return .missing(.page(page)) }
        return .visitor(Self(person: person, fields: fields, session: AccountCookie(core).value(in: request)))
    }

    /// Returns the visitor who sends a form. A person who is not signed in any more begins again, and nothing happens.
    static func sender(_ request: Request, _ core: EmulatorCore) async throws -> Arrival {
        let fields = try await request.formFields()
        let person = try core.person(fields["person"])
        let session = AccountCookie(core).value(in: request)
        guard core.missingStep(for: person, session: session) == nil else {
            return .missing(.seeOther(address("apps", of: person)))
        }
        return .visitor(Self(person: person, fields: fields, session: session))
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
