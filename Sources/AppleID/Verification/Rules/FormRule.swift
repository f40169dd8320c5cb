/// RFC 7515 §7.1 (compact serialization) and §2 (base64url): three parts, each spelt in the one possible way.
struct FormRule: VerificationRule {
    let name = "form"

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        let token = evidence.token
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
        evidence.parts = TokenParts(
            header: header, payload: payload, signature: signature, signingInputLength: second)
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        evidence.token.count > SizeRule.maximumBytes ? "the token is too large" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String { "three parts of base64url" }
}
