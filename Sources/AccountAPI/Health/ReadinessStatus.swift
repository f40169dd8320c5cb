/// Whether a server can serve.
public struct ReadinessStatus: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The store answers.
    public static let ready = Self(rawValue: "ready")
    /// The store does not answer.
    public static let unavailable = Self(rawValue: "unavailable")
}
