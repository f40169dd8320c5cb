import AppleIDTypes
import HTTPTypes

extension EmulatorState {
    private static let day: Int64 = 86_400

    /// Refuses a code or refresh token that is dead, whoever sends it. Apple looks the grant up before the client:
    /// public tests that call Apple send a nonsense client, secret and code, and get `invalid_grant`.
    ///
    /// A client that asks for itself presents no grant, so there is nothing to refuse.
    func checkGrantIsLive(_ request: TokenRequest, at now: Int64) throws(Refusal) {
        switch request {
        case .code(let code): _ = try liveCode(code.code, at: now)
        case .refresh(let token): _ = try liveToken(token, at: now)
        case .credentials: return
        }
    }

    /// Serves one of the three grants, for a client whose secret was found good.
    mutating func redeem(
        _ request: TokenRequest, for client: Registry.Client, fresh: FreshTokens, at now: Int64
    ) throws(Refusal) -> TokenIssue {
        guard !quirks.contains(.capabilityOff) else {
            throw Refusal(.unauthorizedClient, "The client may not use this grant: its App ID lacks the capability.")
        }
        switch request {
        case .code(let code): return try redeem(code, for: client, fresh: fresh, at: now)
        case .refresh(let token): return try refresh(token, for: client, fresh: fresh, at: now)
        case .credentials(let scope):
            guard scope == Scope.userMigration.rawValue else {
                throw Refusal(.invalidScope, "scope must be \(Scope.userMigration).")
            }
            accessTokens.insert(
                IssuedAccessToken(client: client.id, team: client.team, session: nil), for: fresh.accessToken, at: now)
            return TokenIssue(accessToken: fresh.accessToken, refreshToken: nil, claims: nil)
        }
    }

    private func codeRules(at now: Int64) -> CodeRules {
        var rules = CodeRules(now: now)
        if quirks.contains(.redirectMismatchIsInvalidClient) { rules.redirectMismatch = .invalidClient }
        if quirks.contains(.verifierMismatchIsInvalidRequest) { rules.verifierMismatch = .invalidRequest }
        if quirks.contains(.tenMinuteCode) { rules.lifetime = 2 * IssuedCode.lifetime }
        return rules
    }

    private func liveCode(
        _ code: AuthorizationCode, at now: Int64
    ) throws(Refusal) -> (issued: IssuedCode, grant: Grant, person: Portal.Person) {
        let issued = try codeRules(at: now).checkIsLive(codes.value(code.rawValue, at: now))
        guard let grant = grants[issued.grant], let person = registry.person(issued.grant.person) else {
            throw CodeRules.dead
        }
        return (issued, grant, person)
    }

    private func liveToken(
        _ token: String, at now: Int64
    ) throws(Refusal) -> (issued: IssuedRefreshToken, grant: Grant, person: Portal.Person) {
        guard let issued = refreshTokens.value(token, at: now), let grant = grants[issued.grant],
            let person = registry.person(grant.key.person)
        else {
            let code: AppleErrorCode = quirks.contains(.deadRefreshIsInvalidRequest) ? .invalidRequest : .invalidGrant
            throw Refusal(code, "The token has expired or has been revoked.")
        }
        return (issued, grant, person)
    }

    private mutating func redeem(
        _ code: TokenRequest.Code, for client: Registry.Client, fresh: FreshTokens, at now: Int64
    ) throws(Refusal) -> TokenIssue {
        let (issued, grant, person) = try liveCode(code.code, at: now)
        try codeRules(at: now).check(issued, code, from: client.id)
        codes.update(code.code.rawValue) {
            $0.isUsed = true
            $0.refreshToken = fresh.refreshToken
        }
        let token = IssuedRefreshToken(client: client.id, grant: grant.key, issuedAt: now)
        refreshTokens.insert(token, for: fresh.refreshToken, at: now)
        revision += 1
        issueAccessToken(fresh.accessToken, to: client, for: grant.key, of: fresh.refreshToken, at: now)
        var claims = claims(
            for: person, grant: grant, client: client.id, at: now, tellsEmail: issued.tellsEmail != false)
        claims.nonce = issued.nonce
        claims.authenticatedAt = issued.issuedAt
        claims.accessTokenHash = HalfHash.of(fresh.accessToken)
        return TokenIssue(accessToken: fresh.accessToken, refreshToken: fresh.refreshToken, claims: claims)
    }

    /// What OAuth advises when a code comes a second time: it may be stolen, and so may be what it was redeemed for.
    mutating func endTokens(ofReused code: String, for client: ClientID, at now: Int64) {
        guard quirks.contains(.codeReuseRevokes), let issued = codes.value(code, at: now), issued.isUsed,
            issued.client == client, let token = issued.refreshToken
        else { return }
        refreshTokens.remove(token)
        accessTokens.removeAll { _, access in access.session?.refreshToken == token }
        revision += 1
    }

    private mutating func refresh(
        _ token: String, for client: Registry.Client, fresh: FreshTokens, at now: Int64
    ) throws(Refusal) -> TokenIssue {
        let (issued, grant, person) = try liveToken(token, at: now)
        guard issued.client == client.id else {
            throw Refusal(.invalidGrant, "client_id mismatch. The token was not issued to \(client.id).")
        }
        if quirks.contains(.refreshOnceADay) {
            if let last = issued.refreshedAt, now - last < Self.day {
                throw Self.throttled(for: Self.day - (now - last))
            }
            refreshTokens.update(token) { $0.refreshedAt = now }
            revision += 1
        }
        issueAccessToken(fresh.accessToken, to: client, for: grant.key, of: token, at: now)
        // Tokens that come of a refresh are reported to carry neither nonce nor auth_time.
        var claims = claims(for: person, grant: grant, client: client.id, at: now, tellsEmail: false)
        claims.accessTokenHash = HalfHash.of(fresh.accessToken)
        return TokenIssue(
            accessToken: fresh.accessToken, refreshToken: nil,
            claims: quirks.contains(.refreshWithoutIdentityToken) ? nil : claims)
    }

    private mutating func issueAccessToken(
        _ token: String, to client: Registry.Client, for grant: Grant.Key, of refreshToken: String, at now: Int64
    ) {
        let session = IssuedAccessToken.Session(grant: grant, refreshToken: refreshToken)
        accessTokens.insert(
            IssuedAccessToken(client: client.id, team: client.team, session: session), for: token, at: now)
    }

    /// Apple documents that it may throttle, but neither status nor body; the word is OAuth's.
    private static func throttled(for seconds: Int64) -> Refusal {
        var refusal = Refusal(.temporarilyUnavailable, "A refresh token may be used once in 24 hours.")
        refusal.headers[.retryAfter] = String(seconds)
        return refusal
    }
}
