/// A text without characters that a terminal would obey.
///
/// Names and addresses come from the network. A control character in them could move the cursor, retitle the window or
/// type for the person; a bidirectional override could make one address look like another. Each is shown as a mark.
struct PrintableText: Hashable, Sendable {
    let text: String

    /// The maximum number of scalars: more than a name or an address needs, and few enough for one screen.
    private static let maximumLength = 512
    private static let maximumMarks = 4

    /// - Parameter maximumLength: the number of scalars after which the text is cut.
    init(_ untrusted: String, maximumLength: Int = maximumLength) {
        var text = ""
        var marks = 0
        for scalar in untrusted.unicodeScalars.prefix(maximumLength) {
            marks = CellWidth.of(scalar) == 0 ? marks + 1 : 0
            if marks > Self.maximumMarks { continue }
            text.unicodeScalars.append(Self.isHarmless(scalar) ? scalar : "\u{FFFD}")
        }
        self.text = text
    }

    /// The text in ASCII, for terminals that show nothing else.
    var ascii: String {
        String(text.map { $0.isASCII ? $0 : "?" })
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        // Persian and Indic names are spelt with the joiners; no other format character belongs into a name.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
