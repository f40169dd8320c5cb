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

/// Apple's "Processing changes for Sign in with Apple accounts": a notification has `events`, an identity token has not
/// (RFC 8725 §2.8: one kind of token must not be taken for another).
struct NotificationRule: VerificationRule {
    var name: String { "kind" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard try evidence.readClaims().events != nil else {
            throw AppleIDError(.notANotification, "the token has no events: it is no server-to-server notification")
        }
    }

    func finding(in evidence: borrowing Evidence) -> String { "a notification: it has events" }
}
