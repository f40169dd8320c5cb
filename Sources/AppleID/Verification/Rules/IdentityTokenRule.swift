/// Apple's "Processing changes for Sign in with Apple accounts": notifications are signed with the same keys, by the
/// same issuer, for the same audience. Their mark is `events` (RFC 8417 §2.2; confusion: RFC 8725 §2.8).
struct IdentityTokenRule: VerificationRule {
    var name: String { "kind" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard try evidence.readClaims().events == nil else {
            throw AppleIDError(.notAnIdentityToken, "the token has events: it is a server-to-server notification")
        }
    }

    func finding(in evidence: borrowing Evidence) -> String { "an identity token: it has no events" }
}
