import AppleIDTypes

/// The slice of the state for tokens.
struct TokenState: Sendable {
    /// Refresh tokens. Like Apple's, they never expire by age. A full table drops its oldest token.
    var refreshTokens = ExpiringTable<IssuedRefreshToken>(lifetime: nil, capacity: 10_000)
    /// Access tokens. The state file doesn't hold them: they live for an hour.
    var accessTokens = ExpiringTable<IssuedAccessToken>(lifetime: IssuedAccessToken.lifetime, capacity: 20_000)

    mutating func forget(people isGone: (String) -> Bool) {
        refreshTokens.removeAll { _, token in isGone(token.grant.person) }
        accessTokens.removeAll { _, token in token.session.map { isGone($0.grant.person) } ?? false }
    }

    mutating func forget(clientsNotIn registry: Registry, grantsNotIn grants: GrantTable) {
        let clients = registry.clients
        refreshTokens.removeAll { _, token in clients[token.client] == nil || grants[token.grant] == nil }
        accessTokens.removeAll { _, token in
            clients[token.client] == nil || token.session.map { grants[$0.grant] == nil } ?? false
        }
    }
}

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
        _ request: TokenRequest, for client: Registry.Client, new: NewTokens, at now: Int64
    ) throws(Refusal) -> IssuedTokens {
        guard !behaviour.clientsLackCapability else {
            throw Refusal(.unauthorizedClient, "The client may not use this grant: its App ID lacks the capability.")
        }
        switch request {
        case .code(let code): return try redeem(code, for: client, new: new, at: now)
        case .refresh(let token): return try refresh(token, for: client, new: new, at: now)
        case .credentials(let scope):
            guard scope == Scope.userMigration.rawValue else {
                throw Refusal(.invalidScope, "scope must be \(Scope.userMigration).")
            }
            tokens.accessTokens.insert(
                IssuedAccessToken(client: client.id, team: client.team, session: nil), for: new.accessToken, at: now)
            return IssuedTokens(accessToken: new.accessToken, refreshToken: nil, claims: nil)
        }
    }

    private func codeRules(at now: Int64) -> CodeRules {
        CodeRules(
            now: now, redirectMismatch: behaviour.redirectMismatch, verifierMismatch: behaviour.verifierMismatch,
            lifetime: behaviour.codeLifetime.seconds)
    }

    private func liveCode(
        _ code: AuthorizationCode, at now: Int64
    ) throws(Refusal) -> (issued: IssuedCode, grant: Grant, person: Portal.Person) {
        let issued = try codeRules(at: now).checkIsLive(authorizations.codes.value(code.rawValue, at: now))
        guard let grant = grants[issued.grant], let person = findPerson(issued.grant.person) else {
            throw CodeRules.dead
        }
        return (issued, grant, person)
    }

    private func liveToken(
        _ token: String, at now: Int64
    ) throws(Refusal) -> (issued: IssuedRefreshToken, grant: Grant, person: Portal.Person) {
        guard let issued = tokens.refreshTokens.value(token, at: now), let grant = grants[issued.grant],
            let person = findPerson(grant.key.person)
        else {
            throw Refusal(behaviour.deadRefreshToken.code, "The token has expired or has been revoked.")
        }
        return (issued, grant, person)
    }

    private mutating func redeem(
        _ code: TokenRequest.Code, for client: Registry.Client, new: NewTokens, at now: Int64
    ) throws(Refusal) -> IssuedTokens {
        let (issued, grant, person) = try liveCode(code.code, at: now)
        try codeRules(at: now).check(issued, code, from: client.id)
        authorizations.codes.update(code.code.rawValue) {
            $0.isUsed = true
            $0.refreshToken = new.refreshToken
        }
        let token = IssuedRefreshToken(client: client.id, grant: grant.key, issuedAt: now)
        tokens.refreshTokens.insert(token, for: new.refreshToken, at: now)
        revision += 1
        issueAccessToken(new.accessToken, to: client, for: grant.key, of: new.refreshToken, at: now)
        var claims = claims(
            for: person, grant: grant, client: client.id, at: now, tellsEmail: issued.tellsEmail != false)
        claims.nonce = issued.nonce
        claims.authenticatedAt = issued.issuedAt
        claims.accessTokenHash = HalfHash.of(new.accessToken)
        return IssuedTokens(accessToken: new.accessToken, refreshToken: new.refreshToken, claims: claims)
    }

    /// Ends the tokens of a code that comes a second time, as OAuth advises: code and tokens may be stolen.
    mutating func endTokens(ofReused code: String, for client: ClientID, at now: Int64) {
        guard behaviour.reusedCodeEndsTokens, let issued = authorizations.codes.value(code, at: now), issued.isUsed,
            issued.client == client, let token = issued.refreshToken
        else { return }
        tokens.refreshTokens.remove(token)
        tokens.accessTokens.removeAll { _, access in access.session?.refreshToken == token }
        revision += 1
    }

    private mutating func refresh(
        _ token: String, for client: Registry.Client, new: NewTokens, at now: Int64
    ) throws(Refusal) -> IssuedTokens {
        let (issued, grant, person) = try liveToken(token, at: now)
        guard issued.client == client.id else {
            throw Refusal(.invalidGrant, "client_id mismatch. The token was not issued to \(client.id).")
        }
        if behaviour.limitsRefreshToOnceADay {
            if let last = issued.refreshedAt, now - last < Self.day {
                throw Self.throttled(for: Self.day - (now - last))
            }
            tokens.refreshTokens.update(token) { $0.refreshedAt = now }
            revision += 1
        }
        issueAccessToken(new.accessToken, to: client, for: grant.key, of: token, at: now)
        // Reported tokens of a refresh have neither nonce nor auth_time.
        var claims = claims(for: person, grant: grant, client: client.id, at: now, tellsEmail: false)
        claims.accessTokenHash = HalfHash.of(new.accessToken)
        return IssuedTokens(
            accessToken: new.accessToken, refreshToken: nil,
            claims: behaviour.refreshOmitsIdentityToken ? nil : claims)
    }

    private mutating func issueAccessToken(
        _ token: String, to client: Registry.Client, for grant: Grant.Key, of refreshToken: String, at now: Int64
    ) {
        let session = IssuedAccessToken.Session(grant: grant, refreshToken: refreshToken)
        tokens.accessTokens.insert(
            IssuedAccessToken(client: client.id, team: client.team, session: session), for: token, at: now)
    }

    /// Apple documents that it may throttle, but neither status nor body; the word is OAuth's.
    private static func throttled(for seconds: Int64) -> Refusal {
        var refusal = Refusal(.temporarilyUnavailable, "A refresh token may be used once in 24 hours.")
        refusal.retryAfter = seconds
        return refusal
    }
}

/// An access token that was issued. Clients can revoke it and call for a migration with it, and nothing else.
struct IssuedAccessToken: Sendable, Codable {
    static let lifetime: Int64 = 3_600

    /// A person's sign-in, as it goes on from one refresh to the next.
    struct Session: Sendable, Hashable, Codable {
        let grant: Grant.Key
        let refreshToken: String
    }

    let client: ClientID
    /// The client's team when the token was issued.
    let team: TeamID
    /// The person's sign-in; nil for a token of the client itself (`client_credentials`).
    let session: Session?
}

/// A refresh token that was issued. It is not rotated, and belongs to the one client that obtained it.
struct IssuedRefreshToken: Hashable, Sendable, Codable {
    let client: ClientID
    let grant: Grant.Key
    let issuedAt: Int64
    /// The time of the last refresh under ``Behaviour/limitsRefreshToOnceADay``, in seconds since 1970. Nil if there was
    /// none.
    var refreshedAt: Int64?
}

/// New values for one answer of the token endpoint; used only if the request is good.
struct NewTokens: Sendable {
    let accessToken: String
    let refreshToken: String

    init(_ randomness: Randomness) {
        accessToken = randomness.token("a")
        refreshToken = randomness.token("r")
    }
}

/// The tokens of one answer of the token endpoint, before the identity token is signed.
struct IssuedTokens: Sendable {
    let accessToken: String
    /// The refresh token for a code. A refresh gives no new one: Apple does not rotate.
    let refreshToken: String?
    /// The claims of the identity token; nil if there is no person.
    let claims: IdentityTokenClaims?
}

extension Behaviour.DeadRefreshToken {
    fileprivate var code: Refusal.Code {
        switch self {
        case .invalidGrant: .invalidGrant
        case .invalidRequest: .invalidRequest
        }
    }
}

extension Behaviour.CodeLifetime {
    fileprivate var seconds: Int64 {
        switch self {
        case .fiveMinutes: IssuedCode.lifetime
        case .tenMinutes: 2 * IssuedCode.lifetime
        }
    }
}
