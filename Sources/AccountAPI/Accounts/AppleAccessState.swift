/// Whether a person still uses the app with their Apple Account, as far as the service knows; words may be added.
public struct AppleAccessState: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let granted = Self(rawValue: "granted")
    /// The person stopped, or their Apple Account is gone. A new sign-in grants it again.
    public static let ended = Self(rawValue: "ended")
}
