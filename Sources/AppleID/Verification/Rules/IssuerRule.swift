/// RFC 7519 §4.1.1 and Apple's "Verifying a user": `iss` is Apple, and nothing else is.
struct IssuerRule: VerificationRule {
    let name = "issuer"

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        let expected = AppleServer.apple.issuer
        let issuer = try evidence.readClaims().issuer.required("iss")
        guard issuer == expected else {
            throw AppleIDError(.issuerMismatch, "the issuer is \(issuer.quotedForPeople), expected \(expected)")
        }
    }

    func finding(in evidence: borrowing Evidence) -> String { AppleServer.apple.issuer }
}
