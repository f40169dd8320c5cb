import AppleIDTypes

extension EmulatorState {
    func isFirstAuthorization(_ person: Portal.Person, of client: Registry.Client) -> Bool {
        grants[Grant.Key(person: person.id, group: client.group)] == nil
    }

    func person(_ id: String?) throws(Refusal) -> Portal.Person {
        guard let id else { throw Refusal(.invalidRequest, "person is missing.") }
        guard let person = registry.person(id) else { throw Refusal(.unknownPerson, "No person has this id.") }
        return person
    }

    /// What was chosen before the person stopped using the app, where that holds on; nil: they choose.
    func keptEmail(of person: Portal.Person, for client: Registry.Client) -> EmailChoice? {
        keptEmails[Grant.Key(person: person.id, group: client.group)]?.choice(of: person)
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
    ///
    /// - Parameter id: of the person, who may be another one since the sheet was shown, or gone, as may the client.
    mutating func authorize(
        _ request: AuthorizationRequest, by id: String, consent: Consent, code: AuthorizationCode, at now: Int64
    ) throws(Refusal) -> Authorization {
        let person = try person(id)
        guard registry.clients[request.client.id]?.group == request.client.group else {
            throw Refusal(.invalidClient, "No client has this client_id.")
        }
        var consent = consent
        keptEmail(of: person, for: request.client)?.apply(to: &consent)
        try consent.check(for: person, quirks: quirks)
        let key = Grant.Key(person: person.id, group: request.client.group)
        let isFirst = grants[key] == nil
        var asked = scopesToAsk(request, person)
        let wasKnown = endedGrants.contains(key)
        let keepsName = isFirst && keptNames.remove(key) != nil
        var grant =
            grants[key]
            ?? Grant(
                key: key, team: registry.clients[request.client.id]?.team ?? request.client.team,
                firstAuthorizedAt: now)
        let isNewApp = grant.meet(request.client.kind == .app ? request.client.id : request.client.group)
        if isFirst || isNewApp || !asked.isEmpty {
            grant.add(asked, consent)
            grants[key] = grant
            if asked.contains(.email) { keptEmails[key] = nil }
            endedGrants.remove(key)
            revision += 1
        }
        // Nobody is asked for it again.
        if !isFirst, isNewApp, quirks.contains(.siblingsGetName), request.scopes.contains(.name), grant.name != nil {
            asked.insert(.name)
        }
        let tellsEmail = isFirst || asked.contains(.email)
        var issued = IssuedCode(
            client: request.client.id, redirectURI: request.redirectURI, codeChallenge: request.codeChallenge,
            nonce: request.nonce, grant: key, issuedAt: now)
        issued.tellsEmail = tellsEmail
        codes.insert(issued, for: code.rawValue, at: now)

        let isNative = request.destination == .device
        var claims = claims(
            for: person, grant: grant, client: request.client.id, at: now, tellsEmail: tellsEmail)
        claims.nonce = request.nonce
        claims.authenticatedAt = now
        claims.codeHash = HalfHash.of(code.rawValue)
        let isFirstEver = isFirst && !(wasKnown && quirks.contains(.realUserStatusOnce))
        if isNative, isFirstEver { claims.realUserStatus = request.realUserStatus }
        return Authorization(
            code: code,
            grant: grant,
            asked: asked,
            claims: request.responseType == .codeIDToken ? claims : nil,
            user: keepsName
                ? nil
                : UserField(
                    asked, grant.name ?? Grant.Name(firstName: "", lastName: ""), email: email(of: person, grant),
                    hasAllParts: quirks.contains(.userHasAllParts)
                ).text
        )
    }

    /// What every token says of a person, as this client sees them.
    /// - Parameter tellsEmail: whether the app is told the address just now; it matters by a quirk only.
    func claims(
        for person: Portal.Person, grant: Grant, client: ClientID, at now: Int64, tellsEmail: Bool
    ) -> IdentityTokenClaims {
        let identity = PairwiseIdentity(person: person, team: grant.team)
        var claims = IdentityTokenClaims(
            issuer: registry.portal.issuer, subject: identity.subject, audience: client, issuedAt: now,
            expiresAt: now + 86_400)
        claims.nonceSupported = true
        claims.transferSubject = transferSubject(of: person, grant, at: now)
        claims.organizationID = person.organizationID
        if let email = email(of: person, grant), tellsEmail || !quirks.contains(.emailFirstTimeOnly) {
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
