import AppleIDTransport

/// A URL of a provider's, as strict as this library needs: `https`, or `http` on a loopback address, in one spelling and
/// without user, fragment or dot segments.
struct ProviderURL: Sendable, Hashable {
    private static let maximumBytes = 2_048

    let text: String
    let scheme: String
    /// The text behind the question mark.
    let query: String?

    /// - Parameter allowsQuery: false for an issuer (OpenID Connect Discovery 1.0 §3).
    init?(_ text: String, allowsQuery: Bool) {
        guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.utf8.contains(where: { Self.foreign.contains($0) }), let mark = text.firstRange(of: "://")
        else { return nil }
        let end = text[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        guard let origin = ServerOrigin(String(text[..<end])), origin.isAcceptable else { return nil }
        let rest = text[end...]
        let question = rest.firstIndex(of: "?")
        guard question == nil || allowsQuery else { return nil }
        let path = rest[..<(question ?? rest.endIndex)]
        guard !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else { return nil }
        self.text = text
        scheme = String(origin.scheme)
        query = question.map { String(rest[rest.index(after: $0)...]) }
    }

    /// Whether a page of this URL may name the other: a provider that speaks https is never left for plain http, not
    /// even on this machine.
    func mayLead(to other: Self) -> Bool { scheme == "http" || other.scheme == "https" }

    private static let foreign = Set("#\\\"<>^`{|}".utf8)
}
