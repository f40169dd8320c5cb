public import AppleIDTypes

/// An authorization as a store keeps it. Secrets are hashed or sealed.
public struct StoredAuthorization: Hashable, Sendable, Redacted {
    /// How a device gets its answer, where there is no redirect.
    public struct Device: Hashable, Sendable {
        public var deviceCodeHash: TokenHash
        public var userCodeHash: TokenHash
        /// Between two questions of the device.
        public var interval: Duration

        public init(deviceCodeHash: TokenHash, userCodeHash: TokenHash, interval: Duration) {
            self.deviceCodeHash = deviceCodeHash
            self.userCodeHash = userCodeHash
            self.interval = interval
        }
    }

    /// What has become of it; nothing follows an end but its redemption.
    public enum End: Hashable, Sendable {
        case finished(AuthorizationFinish)
        case failed(AuthorizationFailure)
    }

    public var id: AuthorizationID
    public var app: AppID
    /// Nil in the device flow.
    public var redirectURI: String?
    /// Nil with a redirect.
    public var device: Device?
    /// The S256 challenge: the SHA-256 of the verifier (RFC 7636 §4.2).
    public var challenge: TokenHash
    /// The Services ID that Apple is asked for.
    public var clientID: ClientID
    /// In the order of the request.
    public var scopes: [Scope]
    /// Handed to Apple as it is.
    public var nonce: String?
    /// The app's `state`, sealed: it is the app's, and may say anything.
    public var sealedState: [UInt8]?
    /// From where the app asked.
    public var address: String
    public var createdAt: Timestamp
    /// Nothing is begun, finished or answered to a device from here on.
    public var expiresAt: Timestamp
    /// The row may go.
    public var keptUntil: Timestamp
    /// Hash of the cookie of the browser that allowed or ended it.
    public var browserHash: TokenHash?
    public var end: End?
    public var endedAt: Timestamp?
    /// When an app got the result, or spent it with a wrong verifier.
    public var redeemedAt: Timestamp?
    /// Until when the code of ours that was handed out is taken.
    public var codeExpiresAt: Timestamp?

    public init(
        id: AuthorizationID, app: AppID, redirectURI: String?, device: Device?, challenge: TokenHash,
        clientID: ClientID, scopes: [Scope], nonce: String?, sealedState: [UInt8]?, address: String,
        createdAt: Timestamp, expiresAt: Timestamp, keptUntil: Timestamp, browserHash: TokenHash? = nil,
        end: End? = nil, endedAt: Timestamp? = nil, redeemedAt: Timestamp? = nil, codeExpiresAt: Timestamp? = nil
    ) {
        self.id = id
        self.app = app
        self.redirectURI = redirectURI
        self.device = device
        self.challenge = challenge
        self.clientID = clientID
        self.scopes = scopes
        self.nonce = nonce
        self.sealedState = sealedState
        self.address = address
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.keptUntil = keptUntil
        self.browserHash = browserHash
        self.end = end
        self.endedAt = endedAt
        self.redeemedAt = redeemedAt
        self.codeExpiresAt = codeExpiresAt
    }

    /// Whether a person may still go to Apple for it, or come back.
    func isOpen(at moment: Timestamp) -> Bool { end == nil && moment < expiresAt }
}
