public import AppleIDTypes

/// Which `nonce` a token has to carry. Printing or mirroring it shows no value.
public enum NonceExpectation: Hashable, Sendable, Redacted {
    /// The lowercase hexadecimal SHA-256 of a value whose owner hashed it before giving it to Apple.
    case hashed(ofRaw: String)
    /// A value that this server made and consumes once: verbatim, or its lowercase hexadecimal SHA-256.
    case issued(String)
    /// None was sent with the request, so a token that carries one answers another request.
    case absent
}
