/// What Apple takes for a redirect URI (Apple's "Configuring your environment for Sign in with Apple").
package enum RedirectURI {
    /// Why Apple would answer "Invalid web redirect url." whatever is registered; nil when it depends on that.
    package static func objection(to text: String) -> String? {
        guard text.hasPrefix("https://") else { return "a redirect URI of Apple's begins with https://" }
        guard !text.utf8.contains(UInt8(ascii: "#")) else { return "a redirect URI has no fragment" }
        let host = text.dropFirst("https://".count).prefix { !"/?:".contains($0) }.lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // No top-level domain is a number, so the last label tells an IPv4 address; an IPv6 address has brackets.
        guard labels.count >= 2, labels.last?.allSatisfy(\.isNumber) == false, host.first != "[",
            labels.last != "localhost", labels.allSatisfy({ !$0.isEmpty })
        else { return "the host of a redirect URI is a domain name, neither an address nor localhost" }
        return nil
    }
}
