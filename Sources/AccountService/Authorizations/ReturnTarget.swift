/// Where a browser may be sent back to with a handle: one URL, byte for byte, or every loopback address of this
/// machine.
///
/// A URL is https (a page of the app's own, or an app link of RFC 8252 §7.2), has a private scheme in reverse-DNS form
/// (§7.1), or is Android's `intent://`.
public struct ReturnTarget: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case url(String)
        case loopback
    }

    /// In bytes, of a URL.
    static let maximumLength = 2_048

    let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// `http://127.0.0.1` and `http://[::1]` at any port and any path (RFC 8252 §7.3); never the name `localhost`,
    /// which others may answer for.
    public static let loopback = Self(.loopback)

    /// - Parameter text: a URL without user information and, but for `intent://`, without fragment; or the word
    ///   `loopback`.
    /// - Throws: ``AccountError/Code/configuration``, saying what is wrong with it.
    public init(_ text: String) throws(AccountError) {
        guard text != "loopback" else {
            self.init(.loopback)
            return
        }
        if let fault = Self.fault(in: text) {
            throw AccountError(.configuration, "the return target `\(text)` \(fault)")
        }
        self.init(.url(text))
    }

    public var description: String {
        switch kind {
        case .url(let text): text
        case .loopback: "loopback"
        }
    }

    /// Whether a redirect URI that an app asks for is this one.
    func matches(_ redirectURI: String) -> Bool {
        switch kind {
        // Bytes, because `==` takes canonically equivalent texts for equal.
        case .url(let text): text.utf8.elementsEqual(redirectURI.utf8)
        case .loopback: Self.isLoopback(redirectURI)
        }
    }

    /// A redirect URI with something added to its query; an intent's fragment stays at the end.
    static func location(_ redirectURI: String, adding query: String) -> String {
        let end = redirectURI.firstIndex(of: "#") ?? redirectURI.endIndex
        let url = redirectURI[..<end]
        return url + (url.contains("?") ? "&" : "?") + query + redirectURI[end...]
    }

    // MARK: Form

    private static func fault(in text: String) -> String? {
        guard text.utf8.count <= maximumLength else { return "is longer than \(maximumLength) bytes" }
        guard isPlain(text) else { return "holds a character that no URL holds" }
        guard let colon = text.firstIndex(of: ":") else { return "has no scheme" }
        let scheme = text[..<colon]
        let rest = text[text.index(after: colon)...]
        switch scheme {
        case "https":
            guard !host(of: authority(of: rest)).isEmpty else { return "has no host" }
        case "intent":
            guard rest.hasPrefix("//"), text.contains("#Intent;"), text.hasSuffix(";end") else {
                return "does not have the form intent://…#Intent;…;end"
            }
        default:
            guard isReverseDNS(scheme) else {
                return "needs https, or a private scheme in reverse-DNS form such as com.example.app"
            }
        }
        guard !authority(of: rest).contains("@") else { return "holds user information" }
        guard scheme == "intent" || !text.contains("#") else { return "holds a fragment" }
        return nil
    }

    private static func authority(of rest: Substring) -> Substring {
        guard rest.hasPrefix("//") else { return "" }
        return rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }

    /// Without the port.
    private static func host(of authority: Substring) -> Substring {
        authority.first == "[" ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    }

    /// RFC 8252 §7.1: a scheme with a dot, so that its owner can be told by their domain.
    private static func isReverseDNS(_ scheme: Substring) -> Bool {
        let labels = scheme.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let first = scheme.utf8.first, isLetter(first) else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isLoopback(_ text: String) -> Bool {
        guard text.utf8.count <= maximumLength, isPlain(text), !text.contains("#") else { return false }
        guard let host = ["http://127.0.0.1", "http://[::1]"].first(where: text.hasPrefix) else { return false }
        var rest = text.utf8.dropFirst(host.utf8.count)
        if rest.first == UInt8(ascii: ":") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard let port = UInt16(String(Substring(digits))), port > 0 else { return false }
            rest = rest.dropFirst(1 + digits.count)
        }
        return rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?")
    }

    /// RFC 3986 Appendix A has no other characters.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#""<>\^`{|}"#.utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
