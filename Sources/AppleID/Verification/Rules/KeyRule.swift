import AppleIDTypes

/// RFC 7515 §4.1.4 and Apple's "Fetch Apple's public key for verifying token signature": the key is the one that `kid`
/// names. There is no default key.
struct KeyRule {
    /// The maximum size of a key's name. Key sets need no longer names.
    private static let maximumBytes = 255

    var name: String { "key" }

    /// The identifier to look up.
    func keyID(in evidence: borrowing Evidence) throws(AppleIDError) -> KeyID {
        guard let text = evidence.header?.keyID.lenient, !text.isEmpty, text.utf8.count <= Self.maximumBytes else {
            throw AppleIDError(.malformedToken, "the header names no key (kid)")
        }
        return KeyID(text)
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        evidence.header == nil ? "the header could not be read" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String {
        "Apple's key \(evidence.key?.id.rawValue.quotedForPeople ?? "") with \(evidence.key?.sizeInBits ?? 0) bits"
    }
}
