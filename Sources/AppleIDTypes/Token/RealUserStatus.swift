/// Apple's opinion whether the person is real; native first sign-ins only, and advice only.
public struct RealUserStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// Apple's number; others than the three below may come.
    public let rawValue: Int

    /// Any number is a status.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The platform does not judge: to be treated like ``unknown``.
    public static let unsupported = Self(rawValue: 0)
    /// To be treated like any new person, never blocked.
    public static let unknown = Self(rawValue: 1)
    /// To be spared whatever would test whether they are real.
    public static let likelyReal = Self(rawValue: 2)
}
