/// RFC 8417 §2.2 (`jti`): every delivery of one notification carries the same identifier, by which repeats are known.
struct IdentifierRule: VerificationRule {
    private static let maximumBytes = 255

    var name: String { "identifier" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        let identifier = try evidence.readClaims().identifier.required("jti")
        guard (1...Self.maximumBytes).contains(identifier.utf8.count) else {
            throw AppleIDError(.malformedClaim, "the claim jti has 1 to \(Self.maximumBytes) bytes")
        }
    }

    func finding(in evidence: borrowing Evidence) -> String {
        evidence.claims?.identifier.lenient?.quotedForPeople ?? ""
    }
}
