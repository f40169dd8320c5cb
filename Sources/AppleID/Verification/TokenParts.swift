/// The three parts of a compact JSON Web Signature, decoded.
package struct TokenParts {
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
        guard let first = token.firstIndex(of: dot), let second = token.lastIndex(of: dot), first < second else {
            throw AppleIDError(.malformedToken, "a token has three parts with a dot between them")
        }
        guard let header = Base64URL.decode(token[..<first]),
            let payload = Base64URL.decode(token[(first + 1)..<second]),
            let signature = Base64URL.decode(token[(second + 1)...])
        else {
            throw AppleIDError(.malformedToken, "a part of the token is not base64url without padding")
        }
        self.header = header
        self.payload = payload
        self.signature = signature
        signingInputLength = second
    }
}
