/// A limit of our own, before any work is done for the token; RFC 7519 sets none. Apple's tokens have less than 2 KB.
struct SizeRule: VerificationRule {
    static let maximumBytes = 16_384

    var name: String { "size" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard evidence.token.count <= Self.maximumBytes else {
            throw AppleIDError(
                .tokenTooLarge, "the token has \(evidence.token.count) bytes, more than \(Self.maximumBytes)")
        }
    }

    func obstacle(in evidence: borrowing Evidence) -> String? { nil }

    func finding(in evidence: borrowing Evidence) -> String { "the token has \(evidence.token.count) bytes" }
}
