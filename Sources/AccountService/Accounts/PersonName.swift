/// A person's name in parts, as Apple's devices give it; never empty.
///
/// Apple's servers never see the name: it travels through the client and can be anything. So every part is made safe
/// to keep when the value is made: control characters and bidirectional overrides are dropped, white space is
/// trimmed, and what is longer than ``maximumPartLength`` is cut, also what has more than four times as many Unicode
/// scalars: one character may have any number of accents. Escaping on output stays necessary.
public struct PersonName: Hashable, Sendable {
    /// The greatest number of characters in each part.
    public static let maximumPartLength = 100

    /// The first name, such as “Johnny”.
    public let givenName: String?
    /// The last name, such as “Appleseed”.
    public let familyName: String?
    /// A name between first and last.
    public let middleName: String?
    /// A title before the name, such as “Dr.”.
    public let namePrefix: String?
    /// The suffix after the name, such as “Jr.”.
    public let nameSuffix: String?
    /// A name that friends use.
    public let nickname: String?

    /// Makes a name of the parts that have text; nil when nothing is left of any part.
    public init?(
        givenName: String? = nil, familyName: String? = nil, middleName: String? = nil, namePrefix: String? = nil,
        nameSuffix: String? = nil, nickname: String? = nil
    ) {
        self.givenName = Self.cleaned(givenName)
        self.familyName = Self.cleaned(familyName)
        self.middleName = Self.cleaned(middleName)
        self.namePrefix = Self.cleaned(namePrefix)
        self.nameSuffix = Self.cleaned(nameSuffix)
        self.nickname = Self.cleaned(nickname)
        guard parts.contains(where: { $0 != nil }) else { return nil }
    }

    /// All six parts, in the order of the initialiser.
    package var parts: [String?] { [givenName, familyName, middleName, namePrefix, nameSuffix, nickname] }

    /// Makes a name from six ``parts``, in their order.
    package init?(parts: [String?]) {
        guard parts.count == 6 else { return nil }
        self.init(
            givenName: parts[0], familyName: parts[1], middleName: parts[2], namePrefix: parts[3], nameSuffix: parts[4],
            nickname: parts[5])
    }

    /// The name on one line: prefix, given, middle, family, suffix; else the nickname. Never empty.
    public var formatted: String {
        let line = [namePrefix, givenName, middleName, familyName, nameSuffix].compactMap(\.self)
        return line.isEmpty ? nickname ?? "" : line.joined(separator: " ")
    }

    private static func cleaned(_ part: String?) -> String? {
        guard let part else { return nil }
        var kept = String.UnicodeScalarView()
        for scalar in part.unicodeScalars where !scalar.isLeftOutOfNames {
            kept.append(scalar)
        }
        let words = String(kept).split(whereSeparator: \.isWhitespace)
        let short = words.joined(separator: " ").prefix(maximumPartLength)
        let text = String(String.UnicodeScalarView(short.unicodeScalars.prefix(4 * maximumPartLength)))
        // Joiners alone show nothing.
        return text.unicodeScalars.allSatisfy(\.isJoiner) ? nil : text
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is one of the two zero-width joiners. They shape emoji, and names in several scripts.
    var isJoiner: Bool { self == "\u{200C}" || self == "\u{200D}" }

    /// Whether the names of people and devices leave the scalar out. Tabs and line feeds stay, for the caller to take them
    /// for spaces.
    var isLeftOutOfNames: Bool {
        switch properties.generalCategory {
        case .control: !properties.isWhitespace
        case .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        // Other characters of this category hide or turn what they stand beside.
        case .format: !isJoiner
        default: false
        }
    }
}
