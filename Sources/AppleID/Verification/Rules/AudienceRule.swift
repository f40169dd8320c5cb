import AppleIDTypes
import StrictJWS

/// RFC 7519 §4.1.3 and Apple's "Verifying a user": `aud` is one of our clients; of an array, one element has to be.
struct AudienceRule: VerificationRule {
    var name: String { "audience" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        let claims = try evidence.readClaims()
        let expected = evidence.expectation.audiences
        for client in expected where !client.rawValue.isEmpty && claims.isAudience(client) {
            evidence.audience = client.rawValue
            return
        }
        let found = try claims.audience.required("aud")
        guard let audience = found.first(where: { isNonEmpty($0, memberOf: expected) }) else {
            let names = found.all.map(\.quotedForPeople).joined(separator: ", ")
            let wanted = expected.map(\.rawValue.quotedForPeople).sorted().joined(separator: ", ")
            throw AppleIDError(
                .audienceMismatch,
                "the audience is \(names.isEmpty ? "nobody" : names), expected "
                    + (expected.isEmpty ? "nobody at all" : expected.count == 1 ? wanted : "one of \(wanted)"))
        }
        evidence.audience = audience
    }

    /// Byte by byte: `String` takes canonically equivalent texts for equal, a Kelvin sign for a K.
    private func isNonEmpty(_ audience: String, memberOf expected: Set<ClientID>) -> Bool {
        !audience.isEmpty && expected.contains { $0.rawValue.isSpelt(as: audience) }
    }

    func finding(in evidence: borrowing Evidence) -> String { "it is for \(evidence.audience?.quotedForPeople ?? "")" }
}
