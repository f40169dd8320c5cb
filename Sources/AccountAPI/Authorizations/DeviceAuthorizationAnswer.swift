/// The answer to `POST /v1/authorizations` without a redirect URI, in the manner of RFC 8628 §3.2.
public struct DeviceAuthorizationAnswer: Hashable, Sendable, Codable {
    /// A secret of the app's, with which it asks for the credential.
    public var deviceCode: String
    /// For the person to type: two groups of four letters with a hyphen between.
    public var userCode: String
    /// The page to type it on.
    public var verificationURL: String
    /// Seconds that the app waits between two questions.
    public var interval: Int
    public var expiresAt: APITime

    public init(deviceCode: String, userCode: String, verificationURL: String, interval: Int, expiresAt: APITime) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURL = verificationURL
        self.interval = interval
        self.expiresAt = expiresAt
    }
}
