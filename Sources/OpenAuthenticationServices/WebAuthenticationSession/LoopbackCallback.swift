import Foundation

/// A callback that a program can receive: an address of this machine, with the port that the app chose.
struct LoopbackCallback: Hashable, Sendable {
    /// As the browser sends it in `Host`.
    let authority: String
    let port: UInt16
    /// nil when any path will do.
    let path: String?

    /// nil for anything but `http://127.0.0.1:PORT` or `http://[::1]:PORT`, with a path or without. The name
    /// `localhost` may mean another machine, and is not taken.
    init?(_ text: String) {
        guard let url = URLComponents(string: text), url.scheme?.lowercased() == "http",
            let host = url.host.map({ $0.trimmingCharacters(in: ["[", "]"]) }), ["127.0.0.1", "::1"].contains(host),
            let port = url.port.flatMap(UInt16.init(exactly:)), port > 0, url.user == nil, url.password == nil,
            url.query == nil, url.fragment == nil
        else { return nil }
        self.port = port
        authority = host == "::1" ? "[::1]:\(port)" : "127.0.0.1:\(port)"
        path = ["", "/"].contains(url.percentEncodedPath) ? nil : url.percentEncodedPath
    }

    /// Without a path of its own, only a request that brings something counts: a browser asks for icons, too.
    func accepts(_ request: LoopbackRequest) -> Bool {
        guard request.header("host") == authority, path == nil || request.path == path else { return false }
        // A page may load anything from here, but only a navigation comes from the person's own way.
        if let mode = request.header("sec-fetch-mode"), mode != "navigate" { return false }
        return path != nil || !(request.query ?? "").isEmpty
    }

    func matches(_ url: URL) -> Bool {
        guard
            let own = Self(
                "\(url.scheme ?? "")://\(url.host(percentEncoded: true).map(Self.bracketed) ?? ""):\(url.port ?? 0)")
        else { return false }
        return own.authority == authority && (path == nil || path == url.path(percentEncoded: true))
    }

    func url(of request: LoopbackRequest) -> URL? {
        URL(string: "http://\(authority)\(request.path)\(request.query.map { "?\($0)" } ?? "")")
    }

    private static func bracketed(_ host: String) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}
