public import AppleIDTypes

/// What the account service must be told.
public struct AccountConfiguration: Sendable {
    public var publicURL: PublicURL
    /// The audience of our own access tokens (`aud`); other services check for it.
    public var accessTokenAudience: String
    public var keyRing: KeyRing
    /// The Services ID of the sign-in on the web; nil switches it off.
    public var webClient: ClientID?
    /// Whose identity tokens `POST /v1/sign-in/apple` takes: bundle ids, and a Services ID only where an app without
    /// Apple's framework needs it.
    public var nativeClients: Set<ClientID>
    public var sessionLimits: SessionLimits
    /// What the store is told about whose Apple it belongs to; by default the server's name.
    public var storeOwner: String?

    public init(
        publicURL: PublicURL, accessTokenAudience: String? = nil, keyRing: KeyRing, webClient: ClientID?,
        nativeClients: Set<ClientID>, sessionLimits: SessionLimits = SessionLimits(), storeOwner: String? = nil
    ) {
        self.publicURL = publicURL
        self.accessTokenAudience = accessTokenAudience ?? publicURL.rawValue
        self.keyRing = keyRing
        self.webClient = webClient
        self.nativeClients = nativeClients
        self.sessionLimits = sessionLimits
        self.storeOwner = storeOwner
    }
}
