/// Whether the service holds a refresh token of Apple's, with which it can revoke the authorization when the account is
/// deleted. A word of a newer server decodes unchanged.
public struct AppleTokenWord: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let held = Self(rawValue: "held")
    /// Apple could not be asked at the sign-in; the code waits for some minutes.
    public static let waiting = Self(rawValue: "waiting")
    /// A sign-in with an authorization code brings one.
    public static let missing = Self(rawValue: "none")
}
