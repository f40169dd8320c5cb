import StrictJSON

/// RFC 7515 §4 and §5.2: the header is one JSON object without repeated members. `crit` (§4.1.11) demands extensions, of
/// which Apple uses and we support none; `b64` (RFC 7797) would change what was signed.
struct HeaderRule: VerificationRule {
    let name = "header"

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard let parts = evidence.parts else {
            throw AppleIDError(.malformedToken, "the token has not been taken apart")
        }
        let header: JSONValue
        do {
            header = try JSONDocument(parts.header, limits: JSONLimits(maximumDepth: 8)).root
        } catch {
            throw AppleIDError(.malformedToken, "the header is not strict JSON: \(error)", cause: error)
        }
        guard header.kind == .object else { throw AppleIDError(.malformedToken, "the header is not a JSON object") }
        guard header["crit"] == nil, header["b64"] == nil else {
            throw AppleIDError(.malformedToken, "the header demands an extension (crit or b64)")
        }
        evidence.header = TokenHeader(
            algorithm: Claim(header["alg"], \.string), keyID: Claim(header["kid"], \.string))
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        evidence.parts == nil ? "the token could not be taken apart" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String { "a JSON object without extensions" }
}
