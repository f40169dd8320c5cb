#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The texts that people agree to before the service keeps what identifies them, in versions and languages.
///
/// The service never changes a text that people have agreed to: a new wording is a new version, which people are asked
/// for when they next change what it is about. The newest version is the current one; numbers in versions are compared
/// as numbers, so `10` is newer than `9`.
public struct ConsentTexts: Sendable {
    /// One text.
    public struct Text: Hashable, Sendable {
        /// The version, the same in each language.
        public var version: String
        /// The language (BCP 47), such as `de` or `pt-BR`.
        public var language: String
        /// The text, for people: plain text in paragraphs, which an empty line separates.
        public var text: String

        /// Makes a text.
        /// - Parameters:
        ///   - version: 1 to 32 ASCII letters, digits, `.`, `-` and `_`; not `current`.
        ///   - language: BCP 47.
        public init(version: String, language: String, text: String) {
            self.version = version
            self.language = language
            self.text = text
        }
    }

    /// The word that stands for the current version.
    public static let currentWord = "current"
    /// The possible numbers of bytes in a version.
    package static let versionLength = 1...32
    /// The greatest number of bytes in a text.
    public static let maximumLength = 20_000

    /// The version that people are asked to agree to.
    public let current: String
    private let texts: [Text]

    /// Checks texts.
    ///
    /// The built-in versions stay readable, so people can read what they agreed to, unless one of the texts has the same
    /// version. None of them is current unless no other text is configured: see ``builtIn``.
    /// - Throws: ``AccountError/Code/configuration`` for no text, two of one version and language, an empty one, one of
    ///   more than ``maximumLength`` bytes, and a version or language that has no such form.
    public init(_ texts: [Text]) throws(AccountError) {
        for text in texts { try Self.check(text) }
        guard let newest = texts.map(\.version).max(by: Self.isOlder) else {
            throw AccountError(.configuration, "there is no consent text")
        }
        let names = texts.map { "\($0.version).\($0.language.lowercased())" }
        guard Set(names).count == names.count else {
            throw AccountError(.configuration, "two consent texts have the same version and language")
        }
        self.init(checked: texts, current: newest)
    }

    private init(checked texts: [Text], current: String) {
        let versions = Set(texts.map(\.version))
        self.texts = texts + Text.builtIn.filter { !versions.contains($0.version) }
        self.current = current
    }

    /// The texts that siwa brings, in English and German: version `2`, which is current, and version `1`, which people agreed
    /// to before there were several ways to sign in to one account.
    public static let builtIn = Self(checked: [], current: Text.english.version)

    /// Returns a text in the first of the languages that there is; else in English, else in any.
    /// - Parameters:
    ///   - version: a version, or ``currentWord``.
    ///   - languages: BCP 47, the person's favorite first. A text in `de` serves somebody who asks for `de-AT`.
    /// - Throws: ``AccountError/Code/consentTextUnknown``.
    public func text(_ version: String, languages: [String] = []) throws(AccountError) -> Text {
        let wanted = version == Self.currentWord ? current : version
        let found = texts.filter { $0.version == wanted }
        let best = LanguageLookup.first(of: languages + ["en"]) { tag in
            found.first { $0.language.lowercased() == tag }
        }
        guard let text = best ?? found.first else {
            throw AccountError(.consentTextUnknown, "there is no consent text of this version")
        }
        return text
    }

    private static func check(_ text: Text) throws(AccountError) {
        let isVersion =
            versionLength.contains(text.version.utf8.count) && text.version != currentWord
            && text.version.utf8.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
        guard isVersion else {
            throw AccountError(
                .configuration,
                "the version of a consent text has 1 to 32 letters, digits, dots, hyphens and underscores")
        }
        let parts = text.language.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isLanguage = parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(isLetterOrDigit) }
        guard isLanguage, parts[0].count >= 2 else {
            throw AccountError(.configuration, "the language of consent text \(text.version) is not a tag such as `de`")
        }
        guard !text.text.allSatisfy(\.isWhitespace), text.text.utf8.count <= maximumLength, !text.text.utf8.contains(0)
        else {
            throw AccountError(
                .configuration,
                "consent text \(text.version) in \(text.language) is empty, or has more than \(maximumLength) bytes")
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        let scalar = Unicode.Scalar(byte)
        return scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }

    /// Compares runs of digits as numbers, and the rest by its bytes.
    private static func isOlder(_ left: String, than right: String) -> Bool {
        runs(left).lexicographicallyPrecedes(runs(right)) { ($0.number, $0.text) < ($1.number, $1.text) }
    }

    /// A run of digits has a number and no text; another run has a text, and sorts before numbers.
    private static func runs(_ version: String) -> [(number: Int, text: String)] {
        var runs: [(number: Int, text: String)] = []
        var rest = Substring(version)
        while let first = rest.first {
            let run = rest.prefix { $0.isNumber == first.isNumber }
            rest = rest.dropFirst(run.count)
            // 32 digits don't fit: such versions are compared as text, behind all others.
            runs.append(first.isNumber ? (Int(run) ?? .max, Int(run) == nil ? String(run) : "") : (-1, String(run)))
        }
        return runs
    }
}
