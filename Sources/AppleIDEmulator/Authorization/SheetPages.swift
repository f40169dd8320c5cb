import AppleIDTypes
import Mustache

extension Pages {
    func people(_ people: [Portal.Person], for request: AuthorizationRequest, id: String) -> Page {
        var values = values(request, id: id)
        values["people"] = people.map(Self.values)
        return Page(peoplePage.render(values), powers(request))
    }

    /// - Parameters:
    ///   - isFirst: whether the person has never signed in to an app of this group.
    ///   - scopes: the scopes that the person is asked for now.
    ///   - kept: the only address that can be chosen; nil for any.
    func sheet(
        _ request: AuthorizationRequest, person: Portal.Person, isFirst: Bool, asking scopes: Set<Scope>,
        kept: EmailChoice?, id: String
    ) -> Page {
        let relay = PairwiseIdentity(person: person, team: request.client.team).relayAddress
        let choices = EmailChoice.offered(to: person)
        let asksEmail = scopes.contains(.email)
        var values = Self.values(person).merging(values(request, id: id)) { _, new in new }
        values["asksName"] = scopes.contains(.name)
        values["asksEmail"] = asksEmail && !choices.isEmpty
        values["hasNoEmail"] = asksEmail && choices.isEmpty
        values["asksNothing"] = isFirst && scopes.isEmpty
        values["isKnown"] = !isFirst && scopes.isEmpty
        values["firstName"] = person.proposedName.first
        values["lastName"] = person.proposedName.last
        let offered = zip(choices, EmailChoice.words(for: choices)).filter { kept == nil || $0.0 == kept }
        values["choices"] = offered.map { choice, word -> [String: Any] in
            let (label, address) = Self.text(choice, relay: relay)
            return ["word": word, "label": label, "address": address, "isFirst": choice == offered.first?.0]
        }
        return Page(sheetPage.render(values), powers(request))
    }

    /// Makes the page for a person who may not sign in to any app.
    func refusal(_ refusal: Refusal, of person: Portal.Person, _ request: AuthorizationRequest, id: String) -> Page {
        var values = Self.values(person).merging(values(request, id: id)) { _, new in new }
        values["code"] = refusal.code.rawValue
        values["description"] = refusal.description
        return Page(refusedPersonPage.render(values), powers(request))
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

    private static func text(_ choice: EmailChoice, relay: String) -> (label: String, address: String) {
        switch choice {
        case .share(let address): ("Share my email", address)
        case .hide: ("Hide my email", relay)
        }
    }

    private func values(_ request: AuthorizationRequest, id: String) -> [String: Any] {
        [
            "title": "Sign in to \(request.client.name)",
            "app": request.client.name,
            "client": request.client.id.rawValue,
            "destination": destination(request),
            "request": id,
        ]
    }

    private func destination(_ request: AuthorizationRequest) -> String {
        guard case .redirect(let address, _) = request.destination else { return "the device" }
        return address.authority
    }

    /// Returns what the browser may do on a page of the request. In the response modes `query` and `fragment`, the sheet's form
    /// redirects the browser to the app.
    func powers(_ request: AuthorizationRequest) -> Page.Powers {
        guard case .redirect(_, let mode) = request.destination else { return .forms }
        return switch mode {
        case .query, .fragment: .formsThatLeave
        case .formPost, .webMessage: .forms
        }
    }
}

extension Pages {
    /// - Parameter origins: the origins that may read the response; never empty, and never `*`.
    func message(_ answer: AuthorizationAnswer, to origins: [String]) -> Page {
        let host = origins.first.flatMap { WebAddress($0) }?.authority ?? ""
        let fields: [[String: Any]] = answer.fields.map { ["name": $0.name, "value": $0.value] }
        let values: [String: Any] = [
            "title": "Back to \(host)",
            "host": host,
            "targets": origins.joined(separator: " "),
            "fields": fields,
        ]
        return Page(messagePage.render(values), .delivery)
    }
}
