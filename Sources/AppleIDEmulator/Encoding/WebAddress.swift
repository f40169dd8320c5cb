/// An absolute `http` or `https` URL, taken apart no further than the rules here need.
///
/// Stricter than a browser: printable ASCII only, no user information, no backslash, no quotes or angle brackets. Such
/// an address can stand in a header.
struct WebAddress: Hashable, Sendable {
    let text: String
    let scheme: String
    /// Lowercase; an IPv6 address keeps its brackets.
    let host: String
    let port: Int?
    /// The rest from the first `/`, `?` or `#` on; may be empty.
    let rest: String

    init?(_ text: String) {
        let refused: Set<Character> = ["\"", "<", ">", "\\", "^", "`", "{", "|", "}"]
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !text.contains(where: refused.contains) else {
            return nil
        }
        let scheme: String
        if text.hasPrefix("https://") {
            scheme = "https"
        } else if text.hasPrefix("http://") {
            scheme = "http"
        } else {
            return nil
        }
        let tail = text.dropFirst(scheme.count + 3)
        let end = tail.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? tail.endIndex
        guard let (host, port) = Self.split(tail[..<end]) else { return nil }
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port
        self.rest = String(tail[end...])
    }

    /// Reads an address that names nothing but a scheme, a host and a port.
    init?(origin text: String) {
        self.init(text)
        guard rest.isEmpty else { return nil }
    }

    var hasFragment: Bool { rest.contains("#") }

    var hasQuery: Bool { rest.contains("?") }

    /// The origin as a browser writes it in an `Origin` header.
    var origin: String { "\(scheme)://\(authority)" }

    /// Host, and port unless it is the scheme's own.
    var authority: String {
        guard let port, port != (scheme == "https" ? 443 : 80) else { return host }
        return "\(host):\(port)"
    }

    var hasPath: Bool { rest.hasPrefix("/") }

    /// Whether the emulator lets the address through over plain `http` unless it is strict.
    var isLoopback: Bool { Self.isLoopback(host: host) }

    static func isLoopback(host: String) -> Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// Takes `host`, `host:port` and `[address]:port` apart; nil for anything else.
    static func split(_ authority: some StringProtocol) -> (host: String, port: Int?)? {
        let hostEnd: String.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let host = authority[..<hostEnd].lowercased()
        let inner = host.hasPrefix("[") ? host.dropFirst().dropLast() : host[...]
        let allowed: (Character) -> Bool =
            host.hasPrefix("[")
            ? { $0.isHexDigit || $0 == ":" || $0 == "." } : { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
        guard !inner.isEmpty, inner.utf8.count <= 253, inner.allSatisfy({ $0.isASCII && allowed($0) }) else {
            return nil
        }
        let portText = authority[hostEnd...]
        if portText.isEmpty { return (host, nil) }
        let digits = portText.dropFirst()
        guard portText.first == ":", digits.count <= 5, !digits.isEmpty,
            digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits), (1...65535).contains(port)
        else { return nil }
        return (host, port)
    }
}
