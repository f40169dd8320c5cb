/// The base64url of RFC 7515 §2: no padding, no foreign character, and no bits behind the last byte but zeros
/// (RFC 4648 §3.5), so that every value has one spelling.
package enum Base64URL {
    static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        let remainder = text.count & 3
        guard remainder != 1 else { return nil }
        var decoded = [UInt8](repeating: 0, count: text.count / 4 * 3 + max(0, remainder - 1))
        let table = values
        guard decode(text, into: &decoded, table.span) else { return nil }
        return decoded
    }

    private static func decode(_ text: Span<UInt8>, into decoded: inout [UInt8], _ values: Span<UInt8>) -> Bool {
        var result = decoded.mutableSpan
        var input = 0
        var output = 0
        let remainder = text.count & 3
        let wholeEnd = text.count - remainder
        // A foreign character has the value 0x80: looked for once, after the loop.
        var seen: UInt8 = 0
        // In bounds without looking: four characters are left before `wholeEnd`, three bytes of the result belong to
        // them, and the table has a value for each of the 256 bytes. This loop is most of what parsing a token costs.
        while input < wholeEnd {
            let (a, b) = unsafe (
                values[unchecked: Int(text[unchecked: input])], values[unchecked: Int(text[unchecked: input + 1])]
            )
            let (c, d) = unsafe (
                values[unchecked: Int(text[unchecked: input + 2])], values[unchecked: Int(text[unchecked: input + 3])]
            )
            seen |= a | b | c | d
            unsafe result[unchecked: output] = a << 2 | b >> 4
            unsafe result[unchecked: output + 1] = b << 4 | c >> 2
            unsafe result[unchecked: output + 2] = c << 6 | d
            input += 4
            output += 3
        }
        if remainder > 0 {
            let (a, b) = (values[Int(text[input])], values[Int(text[input + 1])])
            let c = remainder == 3 ? values[Int(text[input + 2])] : 0
            seen |= a | b | c
            result[output] = a << 2 | b >> 4
            if remainder == 3 { result[output + 1] = b << 4 | c >> 2 }
            guard (remainder == 3 ? c & 0x03 : b & 0x0F) == 0 else { return false }
        }
        return seen & 0x80 == 0
    }

    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        decode(Array(text.utf8).span)
    }

    package static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encode(bytes), as: UTF8.self)
    }

    static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count * 4 + 2) / 3)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                result.append(alphabet[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { result.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
        return result
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0x80, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()
}
