import AppleIDTypes

extension EmulatorState {
    func isFirstAuthorization(_ person: Portal.Person, of client: Registry.Client) -> Bool {
        grants[Grant.Key(person: person.id, group: client.group)] == nil
    }

    /// What the sheet has to ask for: all that the app wants the first time, and later nothing, unless a quirk has it
    /// that what is new is asked for.
    func scopesToAsk(_ request: AuthorizationRequest, _ person: Portal.Person) -> Set<Scope> {
        guard let grant = grants[Grant.Key(person: person.id, group: request.client.group)] else {
            return request.scopes
        }
        return quirks.contains(.asksForNewScopes) ? request.scopes.subtracting(grant.scopes) : []
    }

    /// What follows from Continue: a code, and for the first time in this group of apps, a grant and the `user` field.
    mutating func authorize(
        _ request: AuthorizationRequest, by person: Portal.Person, consent: Consent, code: AuthorizationCode,
        at now: Int64
    ) -> Authorization {
        let key = Grant.Key(person: person.id, group: request.client.group)
        let isFirst = grants[key] == nil
        let asked = scopesToAsk(request, person)
        let keepsName = isFirst && keptNames.remove(key) != nil
        var grant =
            grants[key]
            ?? Grant(
                key: key, team: registry.clients[request.client.id]?.team ?? request.client.team,
                firstAuthorizedAt: now)
        if isFirst || !asked.isEmpty {
            grant.add(asked, consent)
            grants[key] = grant
            endedGrants.remove(key)
            revision += 1
        }
        let issued = IssuedCode(
            client: request.client.id, redirectURI: request.redirectURI, codeChallenge: request.codeChallenge,
            nonce: request.nonce, grant: key, issuedAt: now)
        codes.insert(issued, for: code.rawValue, at: now)

        let isNative = request.destination == .device
        var claims = claims(for: person, grant: grant, client: request.client.id, at: now)
        claims.nonce = request.nonce
        claims.authenticatedAt = now
        claims.codeHash = HalfHash.of(code.rawValue)
        if isNative, isFirst { claims.realUserStatus = request.realUserStatus }
        return Authorization(
            code: code,
            grant: grant,
            asked: asked,
            claims: request.responseType == .codeIDToken ? claims : nil,
            user: keepsName ? nil : UserField(asked, consent, email: email(of: person, grant)).text
        )
    }

    /// What every token says of a person, as this client sees them.
    func claims(
        for person: Portal.Person, grant: Grant, client: ClientID, at now: Int64
    ) -> IdentityTokenClaims {
        let identity = PairwiseIdentity(person: person, team: grant.team)
        var claims = IdentityTokenClaims(
            issuer: registry.portal.issuer, subject: identity.subject, audience: client, issuedAt: now,
            expiresAt: now + 86_400)
        claims.nonceSupported = true
        claims.transferSubject = transferSubject(of: person, grant, at: now)
        claims.organizationID = person.organizationID
        if let email = email(of: person, grant) {
            claims.email = email
            // The relay's addresses are Apple's own.
            claims.emailVerified = grant.hidesEmail || person.emailVerified != false
            claims.isPrivateEmail = grant.hidesEmail ? true : nil
        }
        return claims
    }

    /// The address that an app knows; nil when it did not ask, or there is none. One that the person has given up since
    /// is replaced by the account's own.
    func email(of person: Portal.Person, _ grant: Grant) -> String? {
        guard grant.scopes.contains(.email) else { return nil }
        if grant.hidesEmail { return PairwiseIdentity(person: person, team: grant.team).relayAddress }
        if let shared = grant.sharedEmail, person.addresses.contains(shared) { return shared }
        return person.addresses.first
    }
}
