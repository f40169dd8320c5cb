import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Who is in front of a page of the settings: somebody of the portal who is signed in, where that is asked for.
struct SettingsVisitor: Sendable {
    let person: Portal.Person
    let fields: FormFields
    /// Of this browser.
    let session: String?

    /// What to answer instead, when the person has to sign in first.
    enum Arrival: Sendable {
        case visitor(SettingsVisitor)
        case missing(Response)
    }

    /// For a page.
    static func arrival(_ request: Request, _ authority: Authority, _ pages: Pages) throws -> Arrival {
        let fields = try request.queryFields()
        let person = try authority.person(fields["person"])
        if let page = try authority.missingStepPage(for: person, at: .settings, request, pages) {
            return .missing(.page(page))
        }
        return .visitor(Self(person: person, fields: fields, session: authority.accountCookie.value(in: request)))
    }

    /// For a form. Whoever is not signed in any more begins again, and nothing happens.
    static func sender(_ request: Request, _ authority: Authority) async throws -> Arrival {
        let fields = try await request.formFields()
        let person = try authority.person(fields["person"])
        let session = authority.accountCookie.value(in: request)
        guard authority.missingStep(for: person, session: session) == nil else {
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
