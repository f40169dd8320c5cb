/// RFC 8725 §3.1 (perform algorithm verification). RS256 is a constant here; the header only has to agree. Apple:
/// "Fetch Apple's public key for verifying token signature".
struct AlgorithmRule: VerificationRule {
    var name: String { "algorithm" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard evidence.header?.algorithm.lenient == "RS256" else {
            throw AppleIDError(.unsupportedAlgorithm, "the header does not say RS256")
        }
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        evidence.header == nil ? "the header could not be read" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String { "RS256" }
}
