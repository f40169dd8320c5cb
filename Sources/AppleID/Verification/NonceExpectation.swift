public import AppleIDTypes

/// Which `nonce` a token has to carry, by what the app gave Apple. Printing or mirroring it shows no value.
///
/// | the app gave Apple | expect |
/// |---|---|
/// | a nonce of your server's, raw | ``issued(_:)`` |
/// | a nonce of your server's, hashed | ``issued(_:)`` |
/// | a nonce of its own, hashed | ``hashed(ofRaw:)`` |
/// | none | ``absent`` |
///
/// Hashed means SHA-256 in lowercase hexadecimal. A raw nonce that the app made is no proof, since the token shows it.
public enum NonceExpectation: Hashable, Sendable, Redacted {
    /// The lowercase hexadecimal SHA-256 of a value whose owner hashed it before giving it to Apple.
    case hashed(ofRaw: String)
    /// A value that this server made and consumes once: verbatim, or its lowercase hexadecimal SHA-256.
    case issued(String)
    /// None was sent with the request, so a token that carries one answers another request.
    case absent
}
