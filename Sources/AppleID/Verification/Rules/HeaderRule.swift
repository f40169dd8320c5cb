import StrictJSON

/// RFC 7515 §4 and §5.2: the header is one JSON object without repeated members. `crit` (§4.1.11) demands extensions,
/// of which Apple uses and we support none; `b64` (RFC 7797) would change what was signed.
struct HeaderRule: VerificationRule {
    private static let keyID = JSONName("kid")
    private static let algorithm = JSONName("alg")
    private static let critical = JSONName("crit")
    private static let base64 = JSONName("b64")

    var name: String { "header" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard let parts = evidence.parts else {
            throw AppleIDError(.malformedToken, "the token has not been taken apart")
        }
        if let header = TokenHeader(asAppleWritesIt: parts.bytes, in: parts.header) {
            evidence.header = header
            return
        }
        let reader: JSONMemberReader?
        do {
            reader = try JSONMemberReader(parts.bytes, in: parts.header, limits: JSONLimits(maximumDepth: 8))
        } catch {
            throw AppleIDError(.malformedToken, "the header is not strict JSON: \(error)", cause: error)
        }
        guard let members = reader else {
            throw AppleIDError(.malformedToken, "the header is not a JSON object")
        }
        let keyID = Claim(members.scalar(Self.keyID), \.text)
        let algorithm = Claim(members.scalar(Self.algorithm), \.text)
        guard members.value(Self.critical) == nil, members.value(Self.base64) == nil else {
            throw AppleIDError(.malformedToken, "the header demands an extension (crit or b64)")
        }
        evidence.header = TokenHeader(algorithm: algorithm, keyID: keyID)
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        evidence.parts == nil ? "the token could not be taken apart" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String { "a JSON object without extensions" }
}
