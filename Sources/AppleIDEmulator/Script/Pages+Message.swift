import Mustache

extension Pages {
    /// - Parameter origins: who may read the answer; never empty, and never everybody.
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
