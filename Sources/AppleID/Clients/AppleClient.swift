public import AppleIDTypes

/// One of the operator's registrations at Apple: an app or a website, with the key that speaks for it.
public struct AppleClient: Sendable {
    /// What kind of registration it is.
    public enum Kind: Hashable, Sendable {
        /// A bundle identifier. Its codes come from devices and are redeemed without a redirect URI.
        case app
        /// A Services ID, for web, Android and Apple's script. Its codes are redeemed with the redirect URI.
        case service
    }

    public let id: ClientID
    public let kind: Kind
    public let key: AppleClientKey

    /// Whose client it is; subjects mean something within this team only.
    public var team: TeamID { key.team }

    public init(id: ClientID, kind: Kind, key: AppleClientKey) {
        self.id = id
        self.kind = kind
        self.key = key
    }
}
