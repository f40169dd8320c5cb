import AppleIDTypes
import Mustache

/// The pages a person sees. They work without scripts, and each says that it is not Apple's.
struct Pages: Sendable {
    private let peoplePage: MustacheTemplate
    private let sheetPage: MustacheTemplate
    private let deliveryPage: MustacheTemplate
    private let refusalPage: MustacheTemplate
    private let indexPage: MustacheTemplate

    /// Throws only when a template in this folder has a mistake.
    init() throws {
        MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)
        // No partials: Mustache goes back to its own escaping inside of them.
        func template(_ main: String, script: String = "") throws -> MustacheTemplate {
            try MustacheTemplate(string: Layout.top + main + script + Layout.bottom)
        }
        peoplePage = try template(PeopleTemplate.text)
        sheetPage = try template(SheetTemplate.text)
        deliveryPage = try template(DeliveryTemplate.text, script: DeliveryTemplate.script)
        refusalPage = try template(RefusalTemplate.text)
        indexPage = try template(IndexTemplate.text)
    }

    func people(_ people: [Portal.Person], for request: AuthorizationRequest, id: String) -> Page {
        let values: [String: Any] = [
            "title": "Sign in to \(request.client.name)",
            "app": request.client.name,
            "client": request.client.id.rawValue,
            "destination": destination(request),
            "request": id,
            "people": people.map(values),
        ]
        return Page(peoplePage.render(values), powers(request))
    }

    func sheet(_ request: AuthorizationRequest, person: Portal.Person, isFirst: Bool, id: String) -> Page {
        let identity = PairwiseIdentity(person: person, team: request.client.team)
        let asksName = isFirst && request.scopes.contains(.name)
        let asksEmail = isFirst && request.scopes.contains(.email)
        var values = values(person)
        values["title"] = "Sign in to \(request.client.name)"
        values["app"] = request.client.name
        values["client"] = request.client.id.rawValue
        values["destination"] = destination(request)
        values["request"] = id
        values["asksName"] = asksName
        values["asksEmail"] = asksEmail
        values["asksNothing"] = isFirst && !asksName && !asksEmail
        values["isKnown"] = !isFirst
        values["firstName"] = person.proposedName.first
        values["lastName"] = person.proposedName.last
        values["relay"] = identity.relayAddress
        return Page(sheetPage.render(values), powers(request))
    }

    func delivery(_ answer: AuthorizationAnswer, to address: WebAddress) -> Page {
        let fields: [[String: Any]] = answer.fields.map { ["name": $0.name, "value": $0.value] }
        let values: [String: Any] = [
            "title": "Back to \(address.authority)",
            "host": address.authority,
            "action": address.text,
            "fields": fields,
        ]
        return Page(deliveryPage.render(values), .delivery)
    }

    func refusal(_ refusal: Refusal) -> Page {
        let values: [String: Any] = [
            "title": "This cannot go on",
            "code": refusal.code.rawValue,
            "description": refusal.description,
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
            "title": "siwa emulator",
            "base": portal.baseURL,
            "issuer": portal.issuer,
            "people": portal.people.map(values),
            "clients": clients,
        ]
        return Page(indexPage.render(values), .forms)
    }

    private func values(_ person: Portal.Person) -> [String: Any] {
        let names = person.proposedName
        let initials = [names.first, names.last].compactMap(\.first).map(String.init).joined()
        return ["id": person.id, "name": person.name, "email": person.email, "initials": initials.uppercased()]
    }

    private func destination(_ request: AuthorizationRequest) -> String {
        guard case .redirect(let address, _) = request.destination else { return "the device" }
        return address.authority
    }

    /// Query and fragment leave by a redirection from the sheet's own form.
    private func powers(_ request: AuthorizationRequest) -> Page.Powers {
        guard case .redirect(_, let mode) = request.destination else { return .forms }
        return switch mode {
        case .query, .fragment: .formsThatLeave
        case .formPost: .forms
        }
    }
}
