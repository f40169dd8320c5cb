/// One authorization of an app (`aut_…`): the transport state that comes back in a redirect.
///
/// Unlike other identifiers it is random as a whole, because who knows it can open the page that leads to Apple.
public struct AuthorizationID: ResourceID {
    public static let prefix = "aut_"
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// What a browser or an app sent as such an identifier, or nil when it cannot be one.
    public init?(receivedText text: String) {
        self.init(received: text)
    }
}
