#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes the transfer encodings of mail (RFC 2045 §6, RFC 2047). Anything else stays as it is.
enum TransferCoding {
    /// - Parameter name: of `Content-Transfer-Encoding`, lowercase.
    static func decode(_ bytes: some Collection<UInt8>, _ name: String) -> [UInt8] {
        switch name {
        case "base64":
            let data = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters)
            return data.map { Array($0) } ?? Array(bytes)
        case "quoted-printable": return unquote(Array(bytes))
        default: return Array(bytes)
        }
    }

    /// - Parameter charset: as the mail names it. Others than Latin 1 and its Windows kin are read as UTF-8, which most
    ///   of them are today.
    static func text(_ bytes: [UInt8], charset: String?) -> String {
        switch charset?.lowercased() {
        case "iso-8859-1", "latin1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case "windows-1252", "cp1252": return Windows1252.text(bytes)
        default: return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func unquote(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let rest = bytes[(index + 1)...].prefix(2)
            if bytes[index] != UInt8(ascii: "=") {
                decoded.append(bytes[index])
                index += 1
            } else if rest.elementsEqual([UInt8(ascii: "\r"), UInt8(ascii: "\n")]) {
                index += 3
            } else if let byte = byte(rest) {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// Two hexadecimal digits and nothing else: `UInt8(_:radix:)` takes a sign, too.
    private static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }) else {
            return nil
        }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// Decodes the encoded words of a header field (RFC 2047), as `=?utf-8?Q?Gr=C3=BC=C3=9Fe?=`. White space between two
    /// encoded words is dropped.
    static func words(_ field: String) -> String {
        var text = ""
        var gap = ""
        var wasEncoded = false
        for piece in field.split(separator: " ", omittingEmptySubsequences: false) {
            let decoded = word(piece)
            if decoded == nil || !wasEncoded { text += gap }
            text += decoded ?? String(piece)
            wasEncoded = decoded != nil
            gap = " "
        }
        return text
    }

    private static func word(_ piece: Substring) -> String? {
        guard piece.hasPrefix("=?"), piece.hasSuffix("?=") else { return nil }
        let parts = piece.dropFirst(2).dropLast(2).split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let charset = parts[0].split(separator: "*").first.map(String.init)
        switch parts[1].lowercased() {
        case "b": return text(decode(Array(parts[2].utf8), "base64"), charset: charset)
        case "q":
            let spaced = parts[2].utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }
            return text(unquote(spaced), charset: charset)
        default: return nil
        }
    }
}

/// The code page of Western Windows: Latin 1, but for 32 places where that has control characters.
enum Windows1252 {
    /// The characters of 0x80 to 0x9F. The five places without one keep the value that Latin 1 has there.
    private static let upper: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    static func text(_ bytes: [UInt8]) -> String {
        let units = bytes.map { (0x80...0x9F).contains($0) ? upper[Int($0) - 0x80] : UInt16($0) }
        return String(decoding: units, as: UTF16.self)
    }
}
