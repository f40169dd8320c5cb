/// OpenID Connect Core 1.0 §3.3.2.10: `c_hash` binds the token to the authorization code delivered beside it.
struct CodeHashRule: VerificationRule {
    var name: String { "code hash" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard let expectation = evidence.expectation.authorizationCode else { return }
        guard let claim = try evidence.readClaims().codeHash.optional("c_hash") else {
            guard case .required = expectation else { return }
            throw AppleIDError(.codeHashMissing, "the token is not bound to a code (c_hash)")
        }
        guard HalfHash.matches(claim, expectation) else {
            throw AppleIDError(.codeHashMismatch, "the token belongs to another code (c_hash)")
        }
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        guard let claims = evidence.claims else { return "the payload could not be read" }
        guard let expectation = evidence.expectation.authorizationCode else {
            return "no authorization code was given to compare with"
        }
        if case .ifPresent = expectation, claims.codeHash.isAbsent { return "the token has no c_hash" }
        return nil
    }

    func finding(in evidence: borrowing Evidence) -> String { "it belongs to the authorization code" }
}
