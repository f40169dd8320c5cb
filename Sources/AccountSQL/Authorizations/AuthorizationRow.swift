import AccountService
import AppleIDTypes

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
        apple_token_sealed, apple_token_obtained_at
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
