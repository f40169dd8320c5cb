import AppleIDTypes
import Mustache

/// The pages a person sees. They work without scripts, and each says that it is not Apple's.
struct Pages: Sendable {
    let peoplePage: MustacheTemplate
    let sheetPage: MustacheTemplate
    let refusedPersonPage: MustacheTemplate
    let deliveryPage: MustacheTemplate
    let messagePage: MustacheTemplate
    let passwordPage: MustacheTemplate
    let codePage: MustacheTemplate
    let requestsPage: MustacheTemplate
    let settings: SettingsPages
    let inbox: InboxPages
    private let refusalPage: MustacheTemplate
    private let indexPage: MustacheTemplate

    /// Throws only when a template in this folder has a mistake.
    init() throws {
        MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)
        peoplePage = try Self.template(PeopleTemplate.text)
        sheetPage = try Self.template(SheetTemplate.text)
        refusedPersonPage = try Self.template(RefusedPersonTemplate.text)
        deliveryPage = try Self.template(DeliveryTemplate.text, script: DeliveryTemplate.script)
        messagePage = try Self.template(MessageTemplate.text, script: MessageTemplate.script)
        passwordPage = try Self.template(SignInTemplate.password)
        codePage = try Self.template(SignInTemplate.code)
        requestsPage = try Self.template(RequestsTemplate.text)
        settings = try SettingsPages()
        inbox = try InboxPages()
        refusalPage = try Self.template(RefusalTemplate.text)
        indexPage = try Self.template(IndexTemplate.text)
    }

    /// A page, or rather its middle. No partials: Mustache goes back to its own escaping inside of them.
    static func template(_ main: String, script: String = "") throws -> MustacheTemplate {
        try MustacheTemplate(string: Layout.top + main + script + Layout.bottom)
    }

    func refusal(_ refusal: Refusal) -> Page {
        let values: [String: Any] = [
            "title": "This cannot go on",
            "code": refusal.code.rawValue,
            "description": refusal.description,
            "isRequest": refusal.code.rawValue != Refusal.Code.notFound.rawValue,
        ]
        return Page(refusalPage.render(values), .forms)
    }

    func index(_ portal: Portal) -> Page {
        var clients: [[String: Any]] = []
        for team in portal.teams {
            for app in team.apps {
                clients.append(["id": app.id.rawValue, "kind": "App ID", "team": team.id.rawValue, "urls": [String]()])
                clients += app.services.map {
                    ["id": $0.id.rawValue, "kind": "Services ID", "team": team.id.rawValue, "urls": $0.returnURLs]
                }
            }
        }
        let values: [String: Any] = [
            "title": "Start",
            "base": portal.baseURL,
            "issuer": portal.issuer,
            "people": portal.people.map(Self.values),
            "clients": clients,
        ]
        return Page(indexPage.render(values), .forms)
    }

    static func values(_ person: Portal.Person) -> [String: Any] {
        let names = person.proposedName
        let initials = [names.first, names.last].compactMap { $0.first { $0.isLetter } }.map(String.init).joined()
        var values = ["id": person.id, "name": person.name, "email": person.email, "initials": initials.uppercased()]
        values["kind"] = kind(of: person)
        return values
    }

    /// What sets this account apart from the ordinary ones; nil for those.
    private static func kind(of person: Portal.Person) -> String? {
        var words: [String] = []
        if person.isManaged { words.append("managed by an organization") }
        if person.child == true { words.append("a child") }
        if !person.hasTwoFactor { words.append("without two-factor authentication") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
