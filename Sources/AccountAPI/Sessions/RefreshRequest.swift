/// The body of `POST /v1/session/refresh`.
public struct RefreshRequest: Hashable, Sendable, Codable {
    /// From the latest answer. A repeat is answered alike for 30 seconds, unless the new token has been used; with the
    /// same ``attempt`` at any time, until anything from the lost answer has been used.
    public var refreshToken: String
    /// What the person knows the device by now; absent leaves the name that the list of sessions has.
    public var deviceName: String?
    /// 16 random bytes in base64url, without padding, which the client stores beside the refresh token before it sends
    /// them. New for each refresh token, the same in each repeat.
    public var attempt: String?

    public init(refreshToken: String, deviceName: String? = nil, attempt: String? = nil) {
        self.refreshToken = refreshToken
        self.deviceName = deviceName
        self.attempt = attempt
    }
}
