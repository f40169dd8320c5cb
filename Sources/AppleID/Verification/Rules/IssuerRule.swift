import StrictJWS

/// RFC 7519 §4.1.1 and Apple's "Verifying a user": `iss` is Apple, and nothing else is.
struct IssuerRule: VerificationRule {
    var name: String { "issuer" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        let claims = try evidence.readClaims()
        // Compared byte by byte when it was read, and always accepted.
        if claims.isIssuerUsual { return }
        let accepted = evidence.expectation.issuers.names
        let issuer = try claims.issuer.required("iss")
        // Byte by byte: `String` takes canonically equivalent texts for equal.
        guard accepted.contains(where: { $0.isSpelt(as: issuer) }) else {
            throw AppleIDError(
                .issuerMismatch,
                "the issuer is \(issuer.quotedForPeople), expected \(accepted.joined(separator: " or "))")
        }
    }

    func finding(in evidence: borrowing Evidence) -> String {
        evidence.claims?.issuer.lenient?.quotedForPeople ?? ""
    }
}
