/// One account of the service (`acc_…`).
public struct AccountID: ResourceID {
    public static let prefix = "acc_"
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
