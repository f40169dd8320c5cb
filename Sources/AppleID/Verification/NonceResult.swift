/// How a verified token answers the expected nonce.
public enum NonceResult: Hashable, Sendable {
    case matched
    /// The token carries no nonce and says that its platform could not. The caller decides whether other proof suffices.
    case unsupported
    /// None was asked for: a token that came from Apple's token endpoint, or whose request had none.
    case notExpected
}
