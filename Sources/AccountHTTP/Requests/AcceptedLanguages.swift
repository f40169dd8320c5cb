import HTTPTypes
import Hummingbird

extension Request {
    /// The languages of the person who asks, by `Accept-Language` (RFC 9110 §12.5.4), the preferred one first. Ranges
    /// with the quality 0 and `*` are left out. Empty if the request names none.
    var acceptedLanguages: [String] {
        AcceptedLanguages.read(headers[values: .acceptLanguage].flatMap { $0.split(separator: ",") })
    }
}

/// Reads `Accept-Language`. What it can't read, it skips: a header that nobody typed is no reason to refuse a request.
enum AcceptedLanguages {
    /// More than any browser sends.
    private static let maximumCount = 32

    static func read(_ entries: [Substring]) -> [String] {
        let ranges = entries.prefix(maximumCount).compactMap { entry -> (language: String, quality: Double)? in
            let parts = entry.split(separator: ";").map { part in
                String(part.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
            }
            guard let language = parts.first, isTag(language) else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") || $0.hasPrefix("Q=") }
            let quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return quality > 0 && quality <= 1 ? (language, quality) : nil
        }
        // The order of equal ranges is the person's, and Swift's sort keeps it.
        return ranges.sorted { $0.quality > $1.quality }.map(\.language)
    }

    /// Whether a text has the form of a language tag: letters and digits in parts of 1 to 8, with hyphens between them.
    private static func isTag(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return text.utf8.count <= 64
            && parts.allSatisfy { part in
                (1...8).contains(part.utf8.count)
                    && part.utf8.allSatisfy { byte in
                        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    }
            }
    }
}
