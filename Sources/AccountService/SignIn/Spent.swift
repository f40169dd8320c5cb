/// Something that may be used once, noted in the transaction that used it.
public struct Spent: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case challenge
        case nonce
        case identityToken = "identity_token"
        case code
    }

    public var kind: Kind
    public var hash: TokenHash
    /// After this the thing is refused for its age, so the note may go.
    public var expiresAt: Timestamp

    public init(kind: Kind, hash: TokenHash, expiresAt: Timestamp) {
        self.kind = kind
        self.hash = hash
        self.expiresAt = expiresAt
    }
}
