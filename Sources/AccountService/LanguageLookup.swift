/// Finds the best of the languages in which there is a text, as RFC 4647 §3.4 does: by the whole tag, then without its last
/// part, and so on, before the person's next language counts.
///
/// Consent texts and the templates of mails use it.
package enum LanguageLookup {
    /// The greatest number of languages that are kept of a person. Few people have more.
    package static let maximumCount = 8
    /// The greatest number of bytes in a language that is kept. RFC 5646 §4.4.1 has room for each likely tag in it.
    package static let maximumLength = 35

    /// Returns the text in the best language; nil if there is none in any of them.
    /// - Parameters:
    ///   - languages: BCP 47, the person's favorite first.
    ///   - find: Returns the text in one language, by its tag in lower case.
    package static func first<Text>(of languages: [String], _ find: (_ tag: String) -> Text?) -> Text? {
        for language in languages {
            var parts = language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
            while !parts.isEmpty {
                if let text = find(parts.joined(separator: "-")) { return text }
                parts.removeLast()
            }
        }
        return nil
    }

    /// Returns the languages of a person that are kept. Longer tags are left out.
    static func kept(of languages: [String]) -> [String] {
        Array(languages.lazy.filter { $0.utf8.count <= maximumLength }.prefix(maximumCount))
    }
}
