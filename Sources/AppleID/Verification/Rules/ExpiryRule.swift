/// RFC 7519 §4.1.4 (`exp`: good before it, and not at it) with the leeway that section allows.
struct ExpiryRule: VerificationRule {
    /// False for notifications, which Apple's documents show without `exp`.
    var isRequired = true

    var name: String { "expiry" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        let claim = try evidence.readClaims().expiresAt
        guard let expiresAt = isRequired ? try claim.required("exp") : try claim.optional("exp") else { return }
        let age = evidence.expectation.now - expiresAt
        guard age < Leeway.seconds else {
            throw AppleIDError(.tokenExpired, "expired \(age.secondsForPeople) ago, at \(expiresAt.timeForPeople)")
        }
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        guard let claims = evidence.claims else { return "the payload could not be read" }
        return !isRequired && claims.expiresAt.isAbsent ? "it has no exp" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String {
        guard let expiresAt = evidence.claims?.expiresAt.lenient else { return "" }
        let rest = expiresAt - evidence.expectation.now
        return rest >= 0
            ? "valid for another \(rest.secondsForPeople), until \(expiresAt.timeForPeople)"
            : "expired \((-rest).secondsForPeople) ago, within the leeway of \(Leeway.seconds) s"
    }
}
