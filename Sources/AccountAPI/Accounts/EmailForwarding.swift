/// Whether Apple forwards mail to a person's relay address; words may be added.
public struct EmailForwarding: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let enabled = Self(rawValue: "enabled")
    /// Mail to the address does not reach the person.
    public static let disabled = Self(rawValue: "disabled")
}
