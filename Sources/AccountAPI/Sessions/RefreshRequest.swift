/// The body of `POST /v1/session/refresh`.
public struct RefreshRequest: Hashable, Sendable, Codable {
    /// From the latest answer. A repeat is answered alike for 30 seconds, unless the new token has been used.
    public var refreshToken: String
    /// What the person knows the device by now; absent leaves the name that the list of sessions has.
    public var deviceName: String?

    public init(refreshToken: String, deviceName: String? = nil) {
        self.refreshToken = refreshToken
        self.deviceName = deviceName
    }
}
