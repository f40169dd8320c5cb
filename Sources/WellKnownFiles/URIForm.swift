/// Checks the form of addresses.
enum URIForm {
    /// Whether a text is a URI: a scheme, a colon and printable characters (RFC 3986 §2, §3).
    static func isURI(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        let rest = text.utf8[text.utf8.index(after: colon)...]
        let forbidden = Set(#"<>"{}|\^`"#.utf8)
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
            && !rest.isEmpty && rest.allSatisfy { (0x21...0x7E).contains($0) && !forbidden.contains($0) }
    }

    /// Whether a text is an address of the web with TLS.
    static func isWebAddress(_ text: String) -> Bool {
        isURI(text) && text.lowercased().hasPrefix("https://") && text.utf8.count > "https://".utf8.count
    }

    /// Whether a text is an address of the web without a path: a scheme, a host and perhaps a port.
    static func isOrigin(_ text: String) -> Bool {
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            let host = text.dropFirst(scheme.count)
            return !host.isEmpty
                && host.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-.:".utf8.contains($0) }
        }
        return false
    }
}
