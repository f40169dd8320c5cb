import Mustache

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
