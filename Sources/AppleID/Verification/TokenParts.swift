/// The three parts of a compact JSON Web Signature, decoded. A class, because several rules look at them and none
/// should copy them.
package final class TokenParts: Sendable {
    package let header: [UInt8]
    package let payload: [UInt8]
    package let signature: [UInt8]
    /// How much of the token was signed: header and payload with the dot between them.
    package let signingInputLength: Int

    /// RFC 7515 §7.1 (compact serialization) and §2 (base64url).
    /// - Throws: ``AppleIDError/Code/malformedToken``.
    package init(_ token: [UInt8]) throws(AppleIDError) {
        let dot = UInt8(ascii: ".")
        // From both ends, since the payload in the middle is the longest; a dot in it would not be base64url.
        let text = token.span
        var first = 0
        while first < text.count, text[first] != dot { first += 1 }
        // Where a signature of 256 bytes begins, as Apple's do. A later dot would be no base64url.
        var second = text.count - 343
        if second <= first || text[second] != dot {
            second = text.count - 1
            while second > first, text[second] != dot { second -= 1 }
        }
        guard first < second else {
            throw AppleIDError(.malformedToken, "a token has three parts with a dot between them")
        }
        guard let header = Base64URL.decode(text.extracting(..<first)),
            let payload = Base64URL.decode(text.extracting((first + 1)..<second)),
            let signature = Base64URL.decode(text.extracting((second + 1)...))
        else {
            throw AppleIDError(.malformedToken, "a part of the token is not base64url without padding")
        }
        self.header = header
        self.payload = payload
        self.signature = signature
        signingInputLength = second
    }
}
