/// The answer to `POST /v1/apple/revoke`: 202, since the service does not make its client wait for Apple.
public struct AppleRevocationAnswer: Hashable, Sendable {
    /// Null when Apple is being asked, or the authorization has ended before; else what the person can do.
    public var manualRemoval: ManualRemoval?

    public init(manualRemoval: ManualRemoval?) { self.manualRemoval = manualRemoval }
}

extension AppleRevocationAnswer: Codable {
    private enum CodingKeys: String, CodingKey { case manualRemoval }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(manualRemoval, forKey: .manualRemoval)
    }
}
