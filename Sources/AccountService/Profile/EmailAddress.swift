public import AppleIDTypes

/// An e-mail address that a person typed, in a form that mail servers take. Nobody has verified it.
///
/// It has exactly one `@`, a local part and a domain within the lengths of RFC 5321, and characters of any script
/// (RFC 6531). A quoted local part and an address literal are refused, because people don't have such addresses.
public struct EmailAddress: Hashable, Sendable, Redacted {
    /// The greatest number of bytes in an address (RFC 5321, 4.5.3.1.3, without the angle brackets).
    package static let maximumLength = 254
    /// The greatest number of bytes before the `@` (RFC 5321, 4.5.3.1.1).
    static let maximumLocalLength = 64
    /// The greatest number of bytes behind the `@` (RFC 5321, 4.5.3.1.2).
    static let maximumDomainLength = 255
    /// The greatest number of bytes between two dots of a domain (RFC 1035, 2.3.4).
    static let maximumLabelLength = 63

    /// The address as the person typed it.
    public let rawValue: String

    /// Checks an address that a person typed.
    /// - Parameter field: The member of the request that has the address.
    /// - Throws: ``AccountError/Code/requestInvalid`` for the field.
    public init(_ text: String, field: String = "contactEmail") throws(AccountError) {
        guard Self.isAddress(text) else {
            throw AccountError(.requestInvalid, "this is not an e-mail address", field: field)
        }
        rawValue = text
    }

    /// Two addresses are equal if they have the same bytes, as the database compares them.
    public static func == (left: Self, right: Self) -> Bool { left.isSpelled(right.rawValue) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }

    func isSpelled(_ text: String?) -> Bool {
        text.map { rawValue.utf8.elementsEqual($0.utf8) } ?? false
    }

    /// Whether mail can go to a text as an address.
    static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= maximumLength else { return false }
        // By scalars: a combining mark behind the `@` would make another character of it.
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        return isLocalPart(String(parts[0])) && isDomain(String(parts[1]))
    }

    /// Words of RFC 5322's `atext`, or of other scripts, with single dots between them.
    private static func isLocalPart(_ text: String) -> Bool {
        guard text.utf8.count <= maximumLocalLength else { return false }
        return text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty
                && word.allSatisfy { isLetterOrDigit($0) || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains($0) }
        }
    }

    private static func isDomain(_ text: String) -> Bool {
        guard text.utf8.count <= maximumDomainLength else { return false }
        return text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            guard !label.isEmpty, String(label).utf8.count <= maximumLabelLength else { return false }
            return label.first != "-" && label.last != "-" && label.allSatisfy { isLetterOrDigit($0) || $0 == "-" }
        }
    }

    /// Whether a character writes words, as a letter or digit of ASCII or beyond it. Spaces, controls, and characters that
    /// hide or turn their neighbours don't, except for the two joiners, which some scripts need. The adapter for mail has
    /// no rule of its own, so that it can write to each address.
    package static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
        return switch scalar.properties.generalCategory {
        case .control, .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        default: true
        }
    }
}
