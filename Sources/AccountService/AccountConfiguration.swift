public import AppleIDTypes

/// The settings of the account service: its address, keys, clients, apps and limits.
public struct AccountConfiguration: Sendable {
    /// The address of the service, as people and Apple see it.
    public var publicURL: PublicURL
    /// The audience of our own access tokens (`aud`); other services check for it.
    public var accessTokenAudience: String
    /// The keys that seal what the database must not show, such as Apple's refresh tokens.
    public var keyRing: KeyRing
    /// The Services ID of the sign-in on the web; nil switches it off.
    public var webClient: ClientID?
    /// The clients whose identity tokens a native sign-in takes: bundle ids, whose codes alone it takes too, and those
    /// Services IDs that are meant to sign in there. The token of an app's Services ID is taken with its own code of
    /// ours, and is not configured here.
    public var nativeClients: Set<ClientID>
    /// The return URL with which a Services ID among ``nativeClients`` obtains the codes that it presents; Apple wants it
    /// when the code is redeemed. Without one, a code beside the token was obtained without.
    public var nativeReturnURLs: [ClientID: String] = [:]
    /// Whether an end of consent at Apple deletes the account, unless another identity opens it. Default: it is kept.
    public var deletesOnConsentRevoked = false
    /// Whether a person of a transferred app gets a new account, where the store holds people of another team. Default:
    /// the sign-in is refused, because the person most likely has an account under the former team.
    public var admitsTransferredPeople = false
    /// The team that had the app before, while its people are on their way. As long as it is set, a person of the app whom
    /// the store doesn't know is refused, unless ``admitsTransferredPeople``.
    public var formerTeam: TeamID?
    /// The apps that may ask for authorizations.
    public var apps: [App]
    /// How long sessions live, and how late a refresh may be repeated.
    public var sessionLimits: SessionLimits
    /// How long entries of the audit are kept. Default: 365 days.
    public var auditLifetime: Duration = .seconds(365 * 86_400)
    /// The texts that people agree to before the service keeps what identifies them. Default: a text of siwa's own.
    public var consentTexts = ConsentTexts.builtIn
    /// How the service takes passwords and one-time links by mail; nil takes none. It needs mail.
    public var passwords: PasswordSettings?
    /// The name of the Apple that the store of a demo belongs to, since the demo's emulator may be on another port at
    /// each start. Never set for Apple itself.
    package var demoOwner: String?

    /// Makes a configuration.
    /// - Parameter accessTokenAudience: The `aud` of access tokens; nil takes the public URL.
    public init(
        publicURL: PublicURL, accessTokenAudience: String? = nil, keyRing: KeyRing, webClient: ClientID?,
        nativeClients: Set<ClientID>, apps: [App] = [], sessionLimits: SessionLimits = SessionLimits()
    ) {
        self.publicURL = publicURL
        self.accessTokenAudience = accessTokenAudience ?? publicURL.rawValue
        self.keyRing = keyRing
        self.webClient = webClient
        self.nativeClients = nativeClients
        self.apps = apps
        self.sessionLimits = sessionLimits
    }
}
