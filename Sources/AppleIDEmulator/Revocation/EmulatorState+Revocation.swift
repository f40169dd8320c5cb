import AppleIDTypes

extension EmulatorState {
    /// Whether there is anything to revoke.
    ///
    /// A token that nobody was issued, or that is dead already, is no error: Apple answers 200 to any garbage.
    func isLive(_ request: RevocationRequest, at now: Int64) throws(Refusal) -> Bool {
        if find(request.token, at: now) != nil { return true }
        guard behaviour.unknownTokenRevocation != .invalidGrant else {
            throw Refusal(.invalidGrant, "The token has expired or has been revoked.")
        }
        return false
    }

    /// Ends the consent or session of a token, and returns the events for apps.
    ///
    /// The token of another client is an error, as documented; so is a hint that names the wrong kind.
    mutating func revoke(
        _ request: RevocationRequest, for client: ClientID, at now: Int64
    ) throws(Refusal) -> [AccountEvent] {
        guard try isLive(request, at: now), let found = find(request.token, at: now) else { return [] }
        let isOthers = found.client != client || request.hint.map { $0 != found.kind.rawValue } ?? false
        if isOthers, behaviour.foreignTokenRevocation == .success { return [] }
        guard found.client == client else {
            throw Refusal(.invalidGrant, "The token was not issued to \(client).")
        }
        guard request.hint == nil || request.hint == found.kind.rawValue else {
            throw Refusal(.invalidRequest, "token_type_hint names the other kind of token.")
        }
        guard let session = found.session else {
            tokens.accessTokens.remove(request.token)
            return []
        }
        guard behaviour.revocationEnds != .session else {
            tokens.refreshTokens.remove(session.refreshToken)
            tokens.accessTokens.removeAll { _, token in token.session == session }
            revision += 1
            return []
        }
        let person = findPerson(session.grant.person)
        if behaviour.revocationKeepsName { grants.withheldNames.insert(session.grant) }
        guard let grant = endConsent(session.grant), let person, !behaviour.revocationIsSilent else { return [] }
        return [AccountEvent(.consentRevoked, of: person, grant)]
    }

    /// Ends a consent with its codes and tokens. The person's next authorization is a first one.
    mutating func endConsent(_ key: Grant.Key) -> Grant? {
        endTokens(of: key)
        revision += 1
        let ended = grants.remove(key)
        if ended != nil { grants.ended.insert(key) }
        return ended
    }

    /// Ends refresh tokens, access tokens, and codes that weren't redeemed yet.
    mutating func endTokens(of key: Grant.Key) {
        tokens.refreshTokens.removeAll { _, token in token.grant == key }
        tokens.accessTokens.removeAll { _, token in token.session?.grant == key }
        authorizations.codes.updateAll { code in
            if code.grant == key { code.isRevoked = true }
        }
        revision += 1
    }

    private struct Found {
        let kind: RevocationRequest.Hint
        let client: ClientID
        let session: IssuedAccessToken.Session?
    }

    private func find(_ token: String, at now: Int64) -> Found? {
        if let issued = tokens.refreshTokens.value(token, at: now) {
            return Found(
                kind: .refreshToken, client: issued.client, session: .init(grant: issued.grant, refreshToken: token))
        }
        return tokens.accessTokens.value(token, at: now).map {
            Found(kind: .accessToken, client: $0.client, session: $0.session)
        }
    }
}
