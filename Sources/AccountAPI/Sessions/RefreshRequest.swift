/// The body of `POST /v1/session/refresh`.
public struct RefreshRequest: Hashable, Sendable, Codable {
    /// From the latest answer. A repeat is answered alike for 30 seconds, unless the new token has been used.
    public var refreshToken: String

    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }
}
