public import AppleIDTypes

/// What a person knows a device by: their own words or its maker's. Untrusted text that may name its owner.
public struct DeviceName: RawRepresentable, Hashable, Sendable, Redacted {
    /// One line of at most ``maximumLength`` Unicode scalars, without white space at its ends; never empty.
    public let rawValue: String

    public static let maximumLength = 64

    /// What a store gives back.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// What is left of a text that a client sent: on one line, without control characters and those that turn the
    /// direction of what stands around them, and cut where it is too long. Nil when nothing is left.
    public init?(cleaning text: String) {
        var clean = ""
        var length = 0
        var spaceIsDue = false
        for character in text {
            if character.isWhitespace {
                spaceIsDue = !clean.isEmpty
                continue
            }
            let kept = character.unicodeScalars.filter(Self.isKept)
            guard !kept.isEmpty else { continue }
            let added = kept.count + (spaceIsDue ? 1 : 0)
            guard length + added <= Self.maximumLength else { break }
            if spaceIsDue { clean.append(" ") }
            clean.unicodeScalars.append(contentsOf: kept)
            length += added
            spaceIsDue = false
        }
        guard !clean.isEmpty else { return nil }
        rawValue = clean
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        // Of these the two joiners are letters' and emoji's; the others hide or turn what they stand beside.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
