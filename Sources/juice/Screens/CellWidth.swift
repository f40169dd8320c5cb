/// Measures the width of a text in a terminal's cells, and breaks it into lines.
///
/// Terminals disagree about the width of some characters. So a text from the network is always the last of its line, and a
/// wrong width only breaks the line at another place.
enum CellWidth {
    static func of(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // Vowels and final consonants of Hangul join the syllable before them.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    /// Breaks at spaces where it can, else anywhere between two characters.
    /// - Returns: At least one line, no line wider than `width`, if only `width` is 2 or more.
    static func wrap(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let addition = line.isEmpty ? String(word) : " " + word
            if of(line) + of(addition) <= width {
                line += addition
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for character in word {
                if of(line) + of(String(character)) > width {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        return lines + [line]
    }

    /// East Asian Width W and F (Unicode Standard Annex 11), in blocks.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18DFF, 0x1AFF0...0x1B2FF,
            0x20000...0x3FFFD:
            true
        default:
            scalar.properties.isEmojiPresentation
        }
    }
}
