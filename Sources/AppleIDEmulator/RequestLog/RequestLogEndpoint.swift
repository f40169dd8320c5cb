import HTTPTypes
import Hummingbird
import Mustache

/// `/emulator/requests`: the latest requests.
struct RequestLogEndpoint: Sendable {
    let core: EmulatorCore
    let pages: Pages

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        .uncachedJSON(.object([("requests", .array(core.requests.entries.map(\.json)))]))
    }

    @Sendable func clear(_ request: Request, _ context: EmulatorContext) -> Response {
        core.requests.clear()
        return list(request, context)
    }

    /// `GET /emulator/requests/page`: the list as a page, newest first.
    @Sendable func page(_ request: Request, _ context: EmulatorContext) -> Response {
        .page(pages.requests(core.requests.entries.reversed(), at: core.environment.seconds))
    }
}

extension Pages {
    /// - Parameter entries: newest first.
    func requests(_ entries: [RequestLog.Entry], at now: Int64) -> Page {
        let values: [String: Any] = [
            "title": "Requests",
            "isEmpty": entries.isEmpty,
            "requests": entries.map { entry -> [String: Any] in
                [
                    "age": "\(now - entry.at) s", "method": entry.method, "path": entry.path,
                    "status": "\(entry.status)", "client": entry.clientID ?? "", "error": entry.error ?? "",
                    "reason": entry.reason ?? "",
                    "parameters": entry.parameters.joined(separator: ", "),
                    "faults": entry.faults,
                ]
            },
        ]
        return Page(requestsPage.render(values), .forms)
    }
}
