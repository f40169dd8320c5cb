/// How a verified token answers the expected nonce.
public enum NonceResult: Hashable, Sendable {
    /// The token carries the expected one.
    case matched
    /// The token carries none and says that its platform supports none. It comes to this only where
    /// ``IdentityExpectation/acceptsUnsupportedNonce`` asked for it, and when a code is exchanged, which is the other
    /// proof that is needed.
    case unsupported
    /// None was asked for: a token that came from Apple's token endpoint, or whose request had none.
    case notExpected
}
