public import AppleIDTypes

/// One place where a person is signed in.
public struct Session: Hashable, Sendable {
    /// How the session is presented, and therefore where it is taken: a cookie on pages only, tokens under `/v1` only.
    public enum Kind: String, Hashable, Sendable {
        case browser
        case tokens
    }

    public var id: SessionID
    public var accountID: AccountID
    /// The identity whose sign-in opened the session.
    public var identityID: IdentityID
    public var kind: Kind
    /// The app or Services ID through which the person signed in.
    public var clientID: ClientID
    public var createdAt: Timestamp
    /// When the person last proved who they are.
    public var authenticatedAt: Timestamp
    public var lastUsedAt: Timestamp
    /// The session is dead from here on unless it is used before; never later than its absolute limit.
    public var expiresAt: Timestamp
    /// Whether the sign-in was proven by a nonce. A session without that proof never reauthenticates, links or deletes.
    public var hasNonceProof: Bool
    /// As its client calls it; nil when nobody has said.
    public var deviceName: DeviceName?

    public init(
        id: SessionID, accountID: AccountID, identityID: IdentityID, kind: Kind, clientID: ClientID,
        createdAt: Timestamp, authenticatedAt: Timestamp, lastUsedAt: Timestamp, expiresAt: Timestamp,
        hasNonceProof: Bool = true, deviceName: DeviceName? = nil
    ) {
        self.id = id
        self.accountID = accountID
        self.identityID = identityID
        self.kind = kind
        self.clientID = clientID
        self.createdAt = createdAt
        self.authenticatedAt = authenticatedAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.hasNonceProof = hasNonceProof
        self.deviceName = deviceName
    }
}
