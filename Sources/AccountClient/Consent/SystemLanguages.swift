import Foundation

/// The languages in which the person reads, as the system knows them.
enum SystemLanguages {
    /// BCP 47 tags, the best first; empty where the system says nothing.
    static var preferred: [String] {
        #if canImport(Darwin)
            Locale.preferredLanguages
        #else
            // Foundation reads no environment there.
            languages(in: ProcessInfo.processInfo.environment) ?? Locale.preferredLanguages
        #endif
    }

    /// The languages of a POSIX environment: those of `LANGUAGE`, as GNU gettext reads it, and then that of the locale
    /// (POSIX.1-2024, XBD 8.2).
    /// - Returns: nil where the environment names no locale, or the one for programs.
    static func languages(in environment: [String: String]) -> [String]? {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        guard let locale = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }),
            let own = tag(locale)
        else { return nil }
        let others = environment["LANGUAGE", default: ""].split(separator: ":").compactMap { tag(String($0)) }
        return others.contains(own) ? others : others + [own]
    }

    /// - Parameter locale: such as `de_DE.UTF-8@euro`.
    private static func tag(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
        return String(name).replacing("_", with: "-")
    }
}
