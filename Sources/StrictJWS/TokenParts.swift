/// The three decoded parts of a JSON Web Signature in compact form.
package struct TokenParts: Sendable {
    /// The header, the payload and the signature, in one buffer because three cost more.
    package let bytes: [UInt8]
    /// The range of the header's JSON in the bytes.
    package let header: Range<Int>
    /// The range of the payload's JSON in the bytes.
    package let payload: Range<Int>
    package var signature: ArraySlice<UInt8> { bytes[payload.upperBound...] }
    /// How much of the token was signed: header and payload with the dot between them.
    package let signingInputLength: Int

    /// RFC 7515 §7.1 (compact serialization) and §2 (base64url).
    package init(_ token: [UInt8]) throws(StrictJWSError) {
        let dot = UInt8(ascii: ".")
        // Searches from both ends, since the payload in the middle is the longest; a dot in it would not be base64url.
        // Apple's systems have the span of `Array` only since 2025.
        let characters = ContiguousArray(token)
        let text = characters.span
        var first = 0
        while first < text.count, text[first] != dot { first += 1 }
        // Checks first the place where Apple's tokens have the dot. A later dot would not be base64url.
        var second = text.count - Self.charactersFromSecondDotOfRS256
        if second <= first || text[second] != dot {
            second = text.count - 1
            while second > first, text[second] != dot { second -= 1 }
        }
        guard first < second else {
            throw StrictJWSError(reason: "a token has three parts with a dot between them")
        }
        guard let header = Base64URL.decodedCount(first),
            let payload = Base64URL.decodedCount(second - first - 1),
            let signature = Base64URL.decodedCount(text.count - second - 1)
        else { throw Self.notBase64URL }
        var bytes = [UInt8](repeating: 0, count: header + payload + signature)
        guard Base64URL.decode(text.extracting(..<first), into: &bytes, at: 0),
            Base64URL.decode(text.extracting((first + 1)..<second), into: &bytes, at: header),
            Base64URL.decode(text.extracting((second + 1)...), into: &bytes, at: header + payload)
        else { throw Self.notBase64URL }
        self.bytes = bytes
        self.header = 0..<header
        self.payload = header..<(header + payload)
        signingInputLength = second
    }

    /// A dot and the 342 characters of base64url that 256 bytes take: the signature of a 2048-bit RSA key.
    private static let charactersFromSecondDotOfRS256 = 343

    private static var notBase64URL: StrictJWSError {
        StrictJWSError(reason: "a part of the token is not base64url without padding")
    }
}

/// An error that says why a text is no JSON Web Signature in compact form.
package struct StrictJWSError: Error, Equatable, CustomStringConvertible {
    /// One sentence for people; never holds a part of the token.
    package let reason: String

    package var description: String { reason }
}
