/// One identity of an account: a person at one provider (`idn_…`).
public struct IdentityID: ResourceID {
    public static let prefix = "idn_"
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
