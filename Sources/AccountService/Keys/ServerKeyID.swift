/// One key of this server's own (`key_…`): the `kid` of access tokens.
public struct ServerKeyID: ResourceID {
    public static let prefix = "key_"
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
