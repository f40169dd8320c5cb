/// A mailbox by name: what stands between the angle brackets of an envelope (RFC 5321 §4.1.2, RFC 6531).
///
/// Quoted local parts, source routes and hosts by number are refused, because nobody sends mail with them.
struct MailAddress: Hashable, Sendable {
    let local: String
    /// Lowercase.
    let domain: String

    init?(_ text: some StringProtocol) {
        guard let at = text.lastIndex(of: "@") else { return nil }
        let (local, domain) = (text[..<at], text[text.index(after: at)...])
        guard (1...64).contains(local.utf8.count), Self.isDotted(local, Self.isAtomText),
            Self.isDomain(domain)
        else { return nil }
        self.local = String(local)
        self.domain = domain.lowercased()
    }

    var text: String { "\(local)@\(domain)" }

    /// The key for comparing two spellings of one mailbox. Letter case counts in the RFC, and for nobody in practice.
    var key: String { text.lowercased() }

    var isASCII: Bool { local.utf8.allSatisfy { $0 < 0x80 } && domain.utf8.allSatisfy { $0 < 0x80 } }

    static func isDomain(_ text: some StringProtocol) -> Bool {
        (1...253).contains(text.utf8.count)
            && isDotted(text) { scalar in
                scalar == "-" || scalar.value >= 0x80 && !isControl(scalar) || isLetterOrDigit(scalar)
            } && text.split(separator: ".").allSatisfy { $0.first != "-" && $0.last != "-" && $0.utf8.count <= 63 }
    }

    /// Whether there is something before, between and after all dots, and nothing but the given scalars.
    private static func isDotted(_ text: some StringProtocol, _ allows: (Unicode.Scalar) -> Bool) -> Bool {
        text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy(allows) }
    }

    private static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        isLetterOrDigit(scalar) || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
            || scalar.value >= 0x80 && !isControl(scalar)
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse: true
        default: false
        }
    }
}
