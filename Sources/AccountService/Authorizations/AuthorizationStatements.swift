import AccountDatabase
package import AppleIDTypes

/// An authorization as a store keeps it. Secrets are hashed or sealed.
package struct StoredAuthorization: Hashable, Sendable, Redacted {
    /// How a device gets its answer, where there is no redirect.
    package struct Device: Hashable, Sendable {
        package var deviceCodeHash: TokenHash
        package var userCodeHash: TokenHash
        /// Between two questions of the device.
        package var interval: Duration

        package init(deviceCodeHash: TokenHash, userCodeHash: TokenHash, interval: Duration) {
            self.deviceCodeHash = deviceCodeHash
            self.userCodeHash = userCodeHash
            self.interval = interval
        }
    }

    /// The end of an authorization; nothing follows an end but its redemption.
    package enum End: Hashable, Sendable {
        case finished(AuthorizationFinish)
        case failed(AuthorizationFailure)
    }

    package var id: AuthorizationID
    package var app: AppID
    /// Nil in the device flow.
    package var redirectURI: String?
    /// Nil with a redirect.
    package var device: Device?
    /// The S256 challenge: the SHA-256 of the verifier (RFC 7636 §4.2).
    package var challenge: TokenHash
    /// The Services ID that Apple is asked for, or the client at the other provider.
    package var clientID: ClientID
    /// In the order of the request.
    package var scopes: [Scope]
    /// Handed to Apple as it is.
    package var nonce: String?
    /// The app's `state`, sealed: it is the app's, and may say anything.
    package var sealedState: [UInt8]?
    /// From where the app asked.
    package var address: String
    package var createdAt: Timestamp
    /// Nothing is begun, finished or answered to a device from here on.
    package var expiresAt: Timestamp
    /// The row may go.
    package var keptUntil: Timestamp
    /// Hash of the cookie of the browser that allowed or ended it.
    package var browserHash: TokenHash?
    package var end: End?
    package var endedAt: Timestamp?
    /// When an app got the result, or used it with a wrong verifier.
    package var redeemedAt: Timestamp?
    /// Until when the code of ours that was handed out is taken.
    package var codeExpiresAt: Timestamp?
    /// The other provider that the person signs in with; nil for Apple.
    package var provider: IdentityProvider?

    package init(
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

/// An authorization's row, with what only its store looks at.
struct AuthorizationRow {
    var stored: StoredAuthorization
    /// When its device asked last.
    var polledAt: Timestamp?
    var handleExpiresAt: Timestamp?

    init(_ columns: inout SQLColumns) throws {
        let id = try columns.word(AuthorizationID.self)
        let app = try columns.word(AppID.self)
        let redirectURI = try columns.optionalText()
        let device = try Self.device(&columns)
        polledAt = try columns.optionalTime()
        let challenge = try columns.hash()
        let clientID = try columns.word(ClientID.self)
        let scopes = try columns.text().split(separator: " ").map { Scope(String($0)) }
        stored = try StoredAuthorization(
            id: id, app: app, redirectURI: redirectURI, device: device, challenge: challenge, clientID: clientID,
            scopes: scopes, nonce: columns.optionalText(), sealedState: columns.optionalBytes(),
            address: columns.text(), createdAt: columns.time(), expiresAt: columns.time(), keptUntil: columns.time(),
            browserHash: columns.optionalHash(), endedAt: columns.optionalTime(), redeemedAt: columns.optionalTime(),
            codeExpiresAt: columns.optionalTime())
        handleExpiresAt = try columns.optionalTime()
        stored.end = try Self.end(&columns, client: clientID)
        stored.provider = try columns.optionalText().map(IdentityProvider.init(rawValue:))
    }

    private static func device(_ columns: inout SQLColumns) throws -> StoredAuthorization.Device? {
        let deviceCode = try columns.optionalHash()
        let userCode = try columns.optionalHash()
        let interval = try columns.optionalInt64()
        guard let deviceCode, let userCode, let interval else { return nil }
        return StoredAuthorization.Device(
            deviceCodeHash: deviceCode, userCodeHash: userCode, interval: .microseconds(interval))
    }

    private static func end(_ columns: inout SQLColumns, client: ClientID) throws -> StoredAuthorization.End? {
        let failure = try columns.optionalText()
        let sealedResult = try columns.optionalBytes()
        let tokenHash = try columns.optionalHash()
        let freshUntil = try columns.optionalTime()
        let tokenID = try columns.optionalText()
        let sealedToken = try columns.optionalBytes()
        let obtainedAt = try columns.optionalTime()
        if let failure { return .failed(AuthorizationFailure(rawValue: failure)) }
        guard let sealedResult, let tokenHash, let freshUntil else { return nil }
        var appleToken: AppleToken?
        if let tokenID, let sealedToken, let obtainedAt {
            appleToken = AppleToken(
                id: AppleTokenID(rawValue: tokenID), clientID: client, sealed: sealedToken, obtainedAt: obtainedAt)
        }
        return .finished(
            AuthorizationFinish(
                sealedResult: sealedResult, tokenHash: tokenHash, freshUntil: freshUntil, appleToken: appleToken))
    }
}

extension SQLConnection {
    func authorizationRow(_ statement: SQLStatement, _ key: SQLValue) throws -> AuthorizationRow? {
        try first(statement, [key]) { try AuthorizationRow(&$0) }
    }
}

extension SQLStatement {
    private static let authorizationColumns: Self = """
        id, app_id, redirect_uri, device_code_hash, user_code_hash, poll_interval, polled_at, challenge, client_id,
        scope, nonce, sealed_state, address, created_at, expires_at, kept_until, browser_hash, ended_at, redeemed_at,
        code_expires_at, handle_expires_at, failure, sealed_result, token_hash, token_fresh_until, apple_token_id,
        apple_token_sealed, apple_token_obtained_at, provider
        """
    static let authorization: Self = "SELECT \(authorizationColumns) FROM authorizations WHERE id = ?1"
    static let authorizationOfDeviceCode: Self = """
        SELECT \(authorizationColumns) FROM authorizations WHERE device_code_hash = ?1
        """
    static let authorizationOfUserCode: Self = """
        SELECT \(authorizationColumns) FROM authorizations WHERE user_code_hash = ?1
        """
    static let authorizationOfHandle: Self = """
        SELECT \(authorizationColumns) FROM authorizations WHERE handle_hash = ?1
        """
    static let authorizationOfCode: Self = """
        SELECT \(authorizationColumns) FROM authorizations WHERE code_hash = ?1 AND code_used_at IS NULL
        """
}
