public import AppleIDTypes

/// A sign-in that a browser began and that Apple's answer will end: known by its `state`, once.
public struct Attempt: Hashable, Sendable, Redacted {
    /// What the person wants. Recorded at the beginning, because the session cookie is not there at the end.
    public struct Purpose: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let signIn = Self(rawValue: "sign_in")
        /// An app's authorization; it makes no session.
        public static let authorization = Self(rawValue: "authorization")
        /// A proof that the person is still the one who opened the session.
        public static let reauthentication = Self(rawValue: "reauthenticate")
        /// The same, and then the end of the account.
        public static let deletion = Self(rawValue: "delete")
    }

    /// Hash of the `state` that Apple hands back.
    public var stateHash: TokenHash
    /// Hash of the value that the browser's cookie holds.
    public var browserHash: TokenHash
    public var purpose: Purpose
    /// The session that the browser had when it began.
    public var sessionID: SessionID?
    /// The Services ID that Apple was asked for.
    public var clientID: ClientID
    /// The nonce that Apple was given; Apple copies it into the token. Nil only for an app that gave none.
    public var nonce: String?
    /// Where the browser goes afterwards: a path of ours.
    public var returnPath: ReturnPath
    /// What Apple's answer is for, with ``Purpose/authorization``.
    public var authorizationID: AuthorizationID?
    public var createdAt: Timestamp
    public var expiresAt: Timestamp

    public init(
        stateHash: TokenHash, browserHash: TokenHash, purpose: Purpose, sessionID: SessionID?, clientID: ClientID,
        nonce: String?, returnPath: ReturnPath, authorizationID: AuthorizationID? = nil, createdAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.stateHash = stateHash
        self.browserHash = browserHash
        self.purpose = purpose
        self.sessionID = sessionID
        self.clientID = clientID
        self.nonce = nonce
        self.returnPath = returnPath
        self.authorizationID = authorizationID
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
