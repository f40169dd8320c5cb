/// Apple's opinion whether the person is real; native first sign-ins only, and advice only.
public struct RealUserStatus: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let unsupported = Self(rawValue: 0)
    /// To be treated like any new person, never blocked.
    public static let unknown = Self(rawValue: 1)
    public static let likelyReal = Self(rawValue: 2)
}
