/// The way in which the text of a part is written into a mail (RFC 2045 §6).
enum TransferEncoding: String, Hashable, Sendable {
    case sevenBit = "7bit"
    case eightBit = "8bit"
    case quotedPrintable = "quoted-printable"
    case base64

    /// Bytes of a line without its ending (RFC 5322 §2.1.1).
    private static let maximumLineLength = 998

    /// Chooses the encoding that changes a text least.
    /// - Parameter text: lines that each end with CR LF.
    init(for text: String, allowsEightBit: Bool) {
        let bytes = text.utf8
        let longest =
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(\.count).max() ?? 0
        let beyond = bytes.count { $0 > 0x7F }
        if longest <= Self.maximumLineLength, beyond == 0 || allowsEightBit {
            self = beyond == 0 ? .sevenBit : .eightBit
        } else {
            // Quoted-printable takes three bytes for one, base64 four for three.
            self = beyond * 5 > bytes.count ? .base64 : .quotedPrintable
        }
    }

    /// - Parameter text: lines that each end with CR LF.
    /// - Returns: Lines that each end with CR LF.
    func encode(_ text: String) -> String {
        switch self {
        case .sevenBit, .eightBit: text
        case .quotedPrintable: QuotedPrintable.encode(text)
        case .base64: Base64Lines.encode(Array(text.utf8))
        }
    }

    /// The text with CR LF behind each line and at the end, and without control characters but the tabulator.
    static func lines(of text: String) -> String {
        var lines: [String] = [""]
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where wasReturn: break
            case "\n", "\r", "\u{2028}", "\u{2029}": lines.append("")
            case "\t": lines[lines.count - 1].unicodeScalars.append(scalar)
            default:
                if scalar.properties.generalCategory != .control {
                    lines[lines.count - 1].unicodeScalars.append(scalar)
                }
            }
            wasReturn = scalar == "\r"
        }
        while lines.last == "" { lines.removeLast() }
        return lines.map { $0 + "\r\n" }.joined()
    }
}

/// RFC 2045 §6.7.
enum QuotedPrintable {
    private static let columns = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// - Parameter text: lines that each end with CR LF.
    static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
            append(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line), to: &encoded)
            encoded += "\r\n".utf8
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func append(_ line: [UInt8], to encoded: inout [UInt8]) {
        var column = 0
        for (index, byte) in line.enumerated() {
            let isLast = index == line.count - 1
            let isSpace = byte == 0x20 || byte == 0x09
            let isLiteral = isSpace ? !isLast : (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
            let width = isLiteral ? 1 : 3
            // The last column of a line that goes on is for the sign that it does.
            if column + width > (isLast ? columns : columns - 1) {
                encoded += "=\r\n".utf8
                column = 0
            }
            if isLiteral {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
            column += width
        }
    }
}

/// RFC 4648 §4, in one line or in lines of 76 characters (RFC 2045 §6.8).
enum Base64Lines {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: some Collection<UInt8>) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let value = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for index in 0..<4 {
                encoded.append(
                    index > group.count ? UInt8(ascii: "=") : digits[Int(value >> (18 - 6 * UInt32(index)) & 0x3F)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    static func encode(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: bytes.count, by: 57).map { start in
            text(bytes[start..<min(start + 57, bytes.count)]) + "\r\n"
        }.joined()
    }
}
