/// The answer to `POST /v1/challenges`.
public struct ChallengeAnswer: Hashable, Sendable, Codable {
    /// Opaque. The app gives Apple this value or its lowercase hexadecimal SHA-256, and this server the value itself.
    public var nonce: String
    public var expiresAt: APITime

    public init(nonce: String, expiresAt: APITime) {
        self.nonce = nonce
        self.expiresAt = expiresAt
    }
}
