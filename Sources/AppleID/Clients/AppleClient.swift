public import AppleIDTypes
import Crypto

/// One of the operator's registrations at Apple: an app or a website, with the key that speaks for it.
public struct AppleClient: Sendable {
    /// What kind of registration it is.
    public enum Kind: Hashable, Sendable {
        /// A bundle identifier. Its codes come from devices and are redeemed without a redirect URI.
        case app
        /// A Services ID, for web, Android and Apple's script. Its codes are redeemed with the redirect URI.
        case service
    }

    /// As the portal has it, case and all: the `client_id` of requests and the `aud` of this client's tokens.
    public let id: ClientID
    /// Decides whether its codes are redeemed with a redirect URI.
    public let kind: Kind
    /// Signs its client secrets. One key serves all clients of a group of apps.
    public let key: AppleClientKey

    /// Whose client it is; subjects mean something within this team only.
    public var team: TeamID { key.team }

    /// Nothing is asked of Apple: a client that Apple does not know is found out with its first request.
    public init(id: ClientID, kind: Kind, key: AppleClientKey) {
        self.id = id
        self.kind = kind
        self.key = key
    }

    /// Whether it makes no difference which of the two is used.
    func isSame(as other: Self) -> Bool {
        id == other.id && kind == other.kind && key.id == other.key.id && key.team == other.key.team
            && key.privateKey.rawRepresentation == other.key.privateKey.rawRepresentation
    }
}
