/// RFC 7519 §4.1.6 (`iat`): a token cannot come from the future, clocks that differ a little apart. It isn't good
/// before the time in `nbf` either (§4.1.5): Apple writes no such claim, but one that is there counts.
struct IssuedAtRule: VerificationRule {
    var name: String { "issued at" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        let issuedAt = try evidence.readClaims().issuedAt.required("iat")
        let lead = issuedAt - evidence.expectation.now
        guard lead <= Leeway.seconds else {
            throw AppleIDError(
                .issuedInFuture, "issued \(lead.secondsForPeople) in the future, at \(issuedAt.timeForPeople)")
        }
        guard let notBefore = try evidence.readClaims().notBefore.optional("nbf") else { return }
        guard notBefore - evidence.expectation.now <= Leeway.seconds else {
            throw AppleIDError(.issuedInFuture, "not good before \(notBefore.timeForPeople) (nbf)")
        }
    }

    func finding(in evidence: borrowing Evidence) -> String {
        guard let issuedAt = evidence.claims?.issuedAt.lenient else { return "" }
        return "issued at \(issuedAt.timeForPeople)"
    }
}
