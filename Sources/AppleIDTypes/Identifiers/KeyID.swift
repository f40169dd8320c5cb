/// The name of a key: ten characters for a private key of the developer portal, any string for one of Apple's public
/// keys.
public struct KeyID: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
