import StrictJSON

/// RFC 7519 §4 and §7.2: the payload is one JSON object, and no claim comes twice.
struct PayloadRule: VerificationRule {
    var name: String { "payload" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard let parts = evidence.parts else {
            throw AppleIDError(.malformedToken, "the token has not been taken apart")
        }
        let reader: JSONMemberReader?
        do {
            reader = try JSONMemberReader(parts.bytes, in: parts.payload, limits: JSONLimits(maximumDepth: 16))
        } catch {
            throw AppleIDError(.malformedToken, "the payload is not strict JSON: \(error)", cause: error)
        }
        guard let members = reader else {
            throw AppleIDError(.malformedToken, "the payload is not a JSON object")
        }
        evidence.claims = TokenClaims(members)
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        evidence.parts == nil ? "the token could not be taken apart" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String { "a JSON object of claims, none of them twice" }
}
