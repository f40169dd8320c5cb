/// One entry of the audit (`aud_…`), time-ordered.
public struct AuditID: ResourceID {
    public static let prefix = "aud_"
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
