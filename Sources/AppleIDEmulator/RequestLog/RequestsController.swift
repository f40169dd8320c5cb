import HTTPTypes
import Hummingbird
import Mustache

/// `/emulator/requests`: what came in lately.
struct RequestsController: Sendable {
    let authority: Authority

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        .uncachedJSON(.object([("requests", .array(authority.requests.entries.map(\.json)))]))
    }

    @Sendable func clear(_ request: Request, _ context: EmulatorContext) -> Response {
        authority.requests.clear()
        return list(request, context)
    }

    /// The same for people, newest first.
    @Sendable func page(_ request: Request, _ context: EmulatorContext) throws -> Response {
        let template = try MustacheTemplate(string: Layout.top + RequestsTemplate.text + Layout.bottom)
        let now = authority.environment.seconds
        let entries = authority.requests.entries.reversed()
        let values: [String: Any] = [
            "title": "Requests",
            "isEmpty": entries.isEmpty,
            "requests": entries.map { entry -> [String: Any] in
                [
                    "age": "\(now - entry.at) s", "method": entry.method, "path": entry.path,
                    "status": "\(entry.status)", "client": entry.clientID ?? "", "error": entry.error ?? "",
                    "parameters": entry.parameters.joined(separator: ", "),
                    "faults": entry.faults,
                ]
            },
        ]
        return .page(Page(template.render(values), .forms))
    }
}

extension Emulator {
    /// Under `/emulator`.
    static func addRequestRoutes(to control: Endpoints, _ authority: Authority) {
        let requests = RequestsController(authority: authority)
        control.add("/requests", get: requests.list)
        control.add("/requests/clear", post: requests.clear)
        control.add("/requests/page", get: requests.page)
    }
}
