/// A key of this server's own, sealed, as a store keeps it.
public struct ServerKey: Hashable, Sendable {
    public enum Purpose: String, Hashable, Sendable {
        /// Signs access tokens (ES256).
        case accessTokens = "access_tokens"
        /// Derives each refresh token's successor (HMAC-SHA-256).
        case refreshTokens = "refresh_tokens"
    }

    public enum State: String, Hashable, Sendable {
        /// Published already, so that other services know it before it signs.
        case next
        case active
        /// Verifies until the last token it signed is dead.
        case retired
    }

    public var id: ServerKeyID
    public var purpose: Purpose
    public var state: State
    public var sealed: [UInt8]
    /// Of the next one: when it was published.
    public var createdAt: Timestamp
    public var retiredAt: Timestamp?

    public init(
        id: ServerKeyID, purpose: Purpose, state: State, sealed: [UInt8], createdAt: Timestamp,
        retiredAt: Timestamp? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.state = state
        self.sealed = sealed
        self.createdAt = createdAt
        self.retiredAt = retiredAt
    }
}
