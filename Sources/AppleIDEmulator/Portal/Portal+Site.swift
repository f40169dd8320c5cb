extension Portal {
    /// The return URLs on the emulator's own site. The form that a browser posts to them isn't cross-site, as Apple's
    /// always is. The port is no part of a site.
    package var returnURLsOnOwnSite: [String] {
        guard let own = WebAddress(baseURL)?.host else { return [] }
        let all: [String] = teams.flatMap(\.apps).flatMap(\.services).flatMap(\.returnURLs)
        return all.filter { url in
            // Not every browser counts the scheme as a part of the site, so it is not looked at.
            guard let host = WebAddress(url)?.host else { return false }
            return host == own || Self.isName(host, below: own) || Self.isName(own, below: host)
        }
    }

    /// A name without a dot, such as `localhost`, is a site of its own, apart from the names below it.
    private static func isName(_ name: String, below parent: String) -> Bool {
        parent.contains(".") && name.hasSuffix("." + parent)
    }
}
