/// The header field that says in which languages a person reads texts (RFC 9110, section 12.5.4).
enum AcceptLanguage {
    /// Weights have one digit behind the point here, from 1 to 0.1.
    private static let maximumLanguages = 10

    /// - Parameter languages: BCP 47 tags, the best first. What is no tag is left out.
    /// - Returns: the field's value, in which the language without a region follows the one with it; nil for none.
    static func header(_ languages: [String]) -> String? {
        var ranges: [String] = []
        for language in languages where isTag(language) {
            var range = language[...]
            while !ranges.contains(String(range)) {
                ranges.append(String(range))
                guard let hyphen = range.lastIndex(of: "-") else { break }
                range = range[..<hyphen]
            }
        }
        let weighted = ranges.prefix(maximumLanguages).enumerated().map { index, range in
            index == 0 ? range : "\(range);q=0.\(maximumLanguages - index)"
        }
        return weighted.isEmpty ? nil : weighted.joined(separator: ", ")
    }

    private static func isTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 35
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "-")
            }
            && text.first != "-" && text.last != "-"
    }
}
