/// OpenID Connect Core 1.0 §3.1.3.8: `at_hash` binds the token to the access token delivered beside it.
struct AccessTokenHashRule: VerificationRule {
    var name: String { "access token hash" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard let expectation = evidence.expectation.accessToken else { return }
        guard let claim = try evidence.readClaims().accessTokenHash.optional("at_hash") else {
            guard case .required = expectation else { return }
            throw AppleIDError(.accessTokenHashMissing, "the token is not bound to an access token (at_hash)")
        }
        guard HalfHash.matches(claim, expectation) else {
            throw AppleIDError(.accessTokenHashMismatch, "the token belongs to another access token (at_hash)")
        }
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        guard let claims = evidence.claims else { return "the payload could not be read" }
        guard let expectation = evidence.expectation.accessToken else {
            return "no access token was given to compare with"
        }
        if case .ifPresent = expectation, claims.accessTokenHash.isAbsent { return "the token has no at_hash" }
        return nil
    }

    func finding(in evidence: borrowing Evidence) -> String { "it belongs to the access token" }
}
