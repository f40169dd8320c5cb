/// One refresh token of Apple's that we hold (`atk_…`); part of what its seal is bound to.
public struct AppleTokenID: ResourceID {
    public static let prefix = "atk_"
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
