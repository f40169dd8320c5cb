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
