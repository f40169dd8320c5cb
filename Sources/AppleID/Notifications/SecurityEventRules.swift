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

/// RFC 8417 §2.2 leaves `exp` out of event tokens, and Apple's documents show a notification without. Such a one counts
/// for seven days, so that an old one cannot be delivered again for ever.
struct NotificationAgeRule: VerificationRule {
    static let maximumAge: Int64 = 7 * 86_400

    var name: String { "age" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        let claims = try evidence.readClaims()
        guard claims.expiresAt.isAbsent else { return }
        let age = evidence.expectation.now - (try claims.issuedAt.required("iat"))
        guard age < Self.maximumAge + Leeway.seconds else {
            throw AppleIDError(.notificationTooOld, "issued \(age.secondsForPeople) ago, more than seven days")
        }
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        guard let claims = evidence.claims else { return "the payload could not be read" }
        return claims.expiresAt.isAbsent ? nil : "it has an exp"
    }

    func finding(in evidence: borrowing Evidence) -> String { "issued within the last seven days" }
}
