/// The name of a key: ten characters for a private key of the developer portal, any string for one of Apple's public keys.
public struct KeyID: AppleWord {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
