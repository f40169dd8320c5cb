import StrictJWS

/// RFC 7515 §7.1 (compact serialization) and §2 (base64url): three parts, each spelt in the one possible way.
struct FormRule: VerificationRule {
    var name: String { "form" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        do throws(StrictJWSError) {
            evidence.parts = try TokenParts(evidence.token)
        } catch {
            throw AppleIDError(.malformedToken, error.reason)
        }
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        evidence.token.count > SizeRule.maximumBytes ? "the token is too large" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String { "three parts of base64url" }
}
