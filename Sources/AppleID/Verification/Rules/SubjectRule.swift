/// RFC 7519 §4.1.2 and OpenID Connect Core 1.0 §2: `sub` is a string of 1 to 255 characters, opaque.
struct SubjectRule: VerificationRule {
    static let maximumBytes = 255

    var name: String { "subject" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard let subject = try evidence.readClaims().subject.optional("sub"), !subject.isEmpty else {
            throw AppleIDError(.subjectMissing, "the token is about nobody (sub)")
        }
        guard subject.utf8.count <= Self.maximumBytes else {
            throw AppleIDError(.malformedClaim, "the subject has more than \(Self.maximumBytes) bytes")
        }
    }

    func finding(in evidence: borrowing Evidence) -> String { evidence.claims?.subject.lenient?.quotedForPeople ?? "" }
}
