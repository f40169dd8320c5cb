/// The base64url of RFC 7515 §2: no padding, no foreign character, and no bits behind the last byte but zeros
/// (RFC 4648 §3.5), so that every value has one spelling.
package enum Base64URL {
    /// Decodes ASCII text; nil for text that isn't base64url in its one spelling.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let count = decodedCount(text.count) else { return nil }
        var decoded = [UInt8](repeating: 0, count: count)
        guard decode(text, into: &decoded, at: 0) else { return nil }
        return decoded
    }

    /// Returns the number of bytes that a text of this length encodes; nil for an impossible length.
    static func decodedCount(_ count: Int) -> Int? {
        let remainder = count & 3
        return remainder == 1 ? nil : count / 4 * 3 + max(0, remainder - 1)
    }

    /// Writes the bytes over those that are there.
    /// - Parameter position: where in `decoded` they begin; there has to be room for ``decodedCount(_:)``.
    /// - Returns: false for text that isn't base64url. The written bytes are undefined then.
    static func decode(_ text: Span<UInt8>, into decoded: inout [UInt8], at position: Int) -> Bool {
        guard let count = decodedCount(text.count), position >= 0, position <= decoded.count - count else {
            return false
        }
        return unsafe decoded.withUnsafeMutableBufferPointer { decoded in
            unsafe decode(text, into: decoded.mutableSpan, at: position)
        }
    }

    private static func decode(_ text: Span<UInt8>, into result: consuming MutableSpan<UInt8>, at position: Int) -> Bool
    {
        let table = values
        let values = table.span
        var input = 0
        var output = position
        let remainder = text.count & 3
        let wholeEnd = text.count - remainder
        // A foreign character sets the highest bit, which is checked once, after the loop.
        var seen: UInt32 = 0
        // The indices are in bounds, unchecked: four characters are left before `wholeEnd`, three bytes of the result
        // belong to them, and the table has four times 256 values. This loop is most of what parsing a token costs.
        while input < wholeEnd {
            let high =
                unsafe values[unchecked: Int(text[unchecked: input])]
                | values[unchecked: 256 + Int(text[unchecked: input + 1])]
            let low =
                unsafe values[unchecked: 512 + Int(text[unchecked: input + 2])]
                | values[unchecked: 768 + Int(text[unchecked: input + 3])]
            let word = high | low
            seen |= word
            unsafe result[unchecked: output] = UInt8(truncatingIfNeeded: word >> 16)
            unsafe result[unchecked: output + 1] = UInt8(truncatingIfNeeded: word >> 8)
            unsafe result[unchecked: output + 2] = UInt8(truncatingIfNeeded: word)
            input += 4
            output += 3
        }
        if remainder > 0 {
            var word = values[Int(text[input])] | values[256 + Int(text[input + 1])]
            if remainder == 3 { word |= values[512 + Int(text[input + 2])] }
            seen |= word
            result[output] = UInt8(truncatingIfNeeded: word >> 16)
            if remainder == 3 { result[output + 1] = UInt8(truncatingIfNeeded: word >> 8) }
            guard word & (remainder == 3 ? 0xFF : 0xFFFF) == 0 else { return false }
        }
        return seen >> 31 == 0
    }

    /// Decodes text; nil for text that isn't base64url in its one spelling.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        decode(ContiguousArray(text.utf8).span)
    }

    /// Encodes bytes as text.
    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: encode(bytes), as: UTF8.self)
    }

    /// Encodes bytes as the ASCII bytes of the text.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count * 4 + 2) / 3)
        let alphabet = alphabet
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

    /// The six bits of each character at each place among four, shifted to where they belong among the 24 bits.
    private static let values: ContiguousArray<UInt32> = {
        var values = ContiguousArray<UInt32>(repeating: 1 << 31, count: 4 * 256)
        for place in 0..<4 {
            for (value, character) in alphabet.enumerated() {
                values[place * 256 + Int(character)] = UInt32(value) << UInt32(18 - 6 * place)
            }
        }
        return values
    }()
}
