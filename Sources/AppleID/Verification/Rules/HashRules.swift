import Crypto
import StrictJWS

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

/// The hash by which an identity token names what came beside it (OpenID Connect Core 1.0 §3.3.2.11): base64url of the
/// left half of the SHA-256.
enum HalfHash {
    static func matches(_ claim: String, _ expectation: BindingExpectation) -> Bool {
        let value =
            switch expectation {
            case .ifPresent(let value), .required(let value): Array(value.utf8)
            }
        guard !value.isEmpty else { return false }
        return ConstantTime.areEqual(claim, Base64URL.encode(Array(SHA256.hash(data: value).prefix(16))))
    }
}
