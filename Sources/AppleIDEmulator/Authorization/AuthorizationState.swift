import AppleIDTypes

/// The slice of the state for authorizations: requests that wait for a person, and codes on their way.
struct AuthorizationState: Sendable {
    /// The codes. They are kept for twice their lifetime, so that an expired code differs from an unknown one.
    var codes = ExpiringTable<IssuedCode>(lifetime: 2 * IssuedCode.lifetime, capacity: 20_000)
    /// The requests that wait, by the random names in the sheet's forms.
    var pending = ExpiringTable<PendingAuthorization>(lifetime: PendingAuthorization.lifetime, capacity: 1_000)

    /// Adds a request that waits for the person.
    mutating func insertPending(_ request: AuthorizationRequest, id: String, at now: Int64) {
        pending.insert(PendingAuthorization(request: request), for: id, at: now)
    }

    /// Returns a request that waits, or refuses a name that no such request has.
    func findPending(_ id: String, at now: Int64) throws(Refusal) -> AuthorizationRequest {
        guard let found = pending.value(id, at: now) else {
            throw Refusal(
                .invalidRequest, "This sign-in was finished already or is too old. Go back to the app and begin again.")
        }
        return found.request
    }

    /// Removes a request that waits, because a sheet is answered once.
    mutating func removePending(_ id: String, at now: Int64) throws(Refusal) -> AuthorizationRequest {
        let request = try findPending(id, at: now)
        pending.remove(id)
        return request
    }

    mutating func forget(people isGone: (String) -> Bool) {
        codes.removeAll { _, code in isGone(code.grant.person) }
    }

    mutating func forget(clientsNotIn registry: Registry, grantsNotIn grants: GrantTable) {
        let clients = registry.clients
        codes.removeAll { _, code in clients[code.client] == nil || grants[code.grant] == nil }
        pending.removeAll { _, pending in clients[pending.request.client.id]?.group != pending.request.client.group }
    }
}

extension EmulatorState {
    func isFirstAuthorization(_ person: Portal.Person, of client: Registry.Client) -> Bool {
        grants[Grant.Key(person: person.id, group: client.group)] == nil
    }

    /// The address that the person chose before they stopped using the app, if it still counts. Nil if they choose now.
    func keptEmail(of person: Portal.Person, for client: Registry.Client) -> EmailChoice? {
        grants.rememberedEmails[Grant.Key(person: person.id, group: client.group)]?.choice(of: person)
    }

    /// Returns the scopes that the sheet asks for. The first time they are all scopes of the request. Later there are none,
    /// or only new scopes by ``Behaviour/asksForNewScopes``.
    func scopesToAsk(_ request: AuthorizationRequest, _ person: Portal.Person) -> Set<Scope> {
        guard let grant = grants[Grant.Key(person: person.id, group: request.client.group)] else {
            return request.scopes
        }
        return behaviour.asksForNewScopes ? request.scopes.subtracting(grant.scopes) : []
    }

    /// Takes the step that follows Continue: it records the grant, issues a code, and makes the claims and the `user` field.
    ///
    /// - Parameter id: the id of the person. Person and client may have changed since the sheet was shown, or be gone.
    mutating func authorize(
        _ request: AuthorizationRequest, by id: String, consent: Consent, code: AuthorizationCode, at now: Int64
    ) throws(Refusal) -> Authorization {
        let person = try person(id)
        guard registry.clients[request.client.id]?.group == request.client.group else {
            throw Refusal(.invalidClient, "No client has this client_id.")
        }
        var consent = consent
        keptEmail(of: person, for: request.client)?.apply(to: &consent)
        try consent.check(for: person, behaviour: behaviour)
        let recorded = recordGrant(request, by: person, consent, at: now)
        let grant = recorded.grant
        let tellsEmail = recorded.isFirst || recorded.scopes.contains(.email)
        var issued = IssuedCode(
            client: request.client.id, redirectURI: request.redirectURI, codeChallenge: request.codeChallenge,
            nonce: request.nonce, grant: grant.key, issuedAt: now)
        issued.tellsEmail = tellsEmail
        authorizations.codes.insert(issued, for: code.rawValue, at: now)

        var claims = claims(
            for: person, grant: grant, client: request.client.id, at: now, tellsEmail: tellsEmail)
        claims.nonce = request.nonce
        claims.authenticatedAt = now
        claims.codeHash = HalfHash.of(code.rawValue)
        if request.destination == .device, recorded.tellsRealUserStatus {
            claims.realUserStatus = request.realUserStatus
        }
        let told: Set<Scope> = recorded.withholdsName ? [] : recorded.scopes
        return Authorization(
            code: code,
            grant: grant,
            told: told,
            claims: request.responseType == .codeIDToken ? claims : nil,
            user: UserField(
                told, grant.name ?? Grant.Name(firstName: "", lastName: ""), email: email(of: person, grant),
                hasAllParts: behaviour.userFieldHasAllParts
            ).text
        )
    }

    /// The grant as an authorization has left it, and what the app is told with this authorization.
    private struct RecordedGrant {
        let grant: Grant
        /// Whether the authorization has made the grant.
        let isFirst: Bool
        /// The scopes whose values the app gets.
        let scopes: Set<Scope>
        /// Whether a device gets Apple's opinion of the person.
        let tellsRealUserStatus: Bool
        /// Whether the app gets no value of a scope, by ``Behaviour/revocationKeepsName``.
        let withholdsName: Bool
    }

    /// Makes the grant at the first authorization, or adds what is new.
    private mutating func recordGrant(
        _ request: AuthorizationRequest, by person: Portal.Person, _ consent: Consent, at now: Int64
    ) -> RecordedGrant {
        let key = Grant.Key(person: person.id, group: request.client.group)
        let isFirst = grants[key] == nil
        var scopes = scopesToAsk(request, person)
        let wasKnown = grants.ended.contains(key)
        let withholdsName = isFirst && grants.withheldNames.remove(key) != nil
        var grant =
            grants[key]
            ?? Grant(
                key: key, team: registry.clients[request.client.id]?.team ?? request.client.team,
                firstAuthorizedAt: now)
        let isNewApp = grant.recordApp(request.client.kind == .app ? request.client.id : request.client.group)
        if isFirst || isNewApp || !scopes.isEmpty {
            grant.add(scopes, consent)
            grants[key] = grant
            if scopes.contains(.email) { grants.rememberedEmails[key] = nil }
            grants.ended.remove(key)
            revision += 1
        }
        // The person isn't asked for the name again.
        if !isFirst, isNewApp, behaviour.siblingAppsGetName, request.scopes.contains(.name), grant.name != nil {
            scopes.insert(.name)
        }
        return RecordedGrant(
            grant: grant, isFirst: isFirst, scopes: scopes,
            tellsRealUserStatus: isFirst && !(wasKnown && behaviour.realUserStatusComesOnce),
            withholdsName: withholdsName)
    }

    /// The claims that every token of this client has about a person.
    /// - Parameter tellsEmail: whether the app gets the address just now. It matters by
    ///   ``Behaviour/emailComesFirstTimeOnly`` only.
    func claims(
        for person: Portal.Person, grant: Grant, client: ClientID, at now: Int64, tellsEmail: Bool
    ) -> IdentityTokenClaims {
        let identity = PairwiseIdentity(person: person, team: grant.team)
        var claims = IdentityTokenClaims(
            issuer: tokenIssuer, subject: identity.subject, audience: client, issuedAt: now,
            expiresAt: now + behaviour.identityTokenLifetime.seconds)
        claims.nonceSupported = true
        claims.transferSubject = transferSubject(of: person, grant, at: now)
        claims.organizationID = person.organizationID
        if let email = email(of: person, grant), tellsEmail || !behaviour.emailComesFirstTimeOnly {
            claims.email = email
            // Relay addresses are Apple's own, so they are verified.
            claims.emailVerified = grant.hidesEmail || person.emailVerified != false
            claims.isPrivateEmail = grant.hidesEmail ? true : behaviour.showsFalsePrivateEmail ? false : nil
        }
        return claims
    }

    /// The issuer of identity tokens and notifications.
    var tokenIssuer: String {
        behaviour.tokenIssuer == .accountDomain ? DiscoveryEndpoint.accountIssuer : registry.portal.issuer
    }

    /// The address that an app knows; nil if it did not ask, or there is none. The account's own address replaces one
    /// that the person has given up since.
    func email(of person: Portal.Person, _ grant: Grant) -> String? {
        guard grant.scopes.contains(.email) else { return nil }
        if grant.hidesEmail { return PairwiseIdentity(person: person, team: grant.team).relayAddress }
        if let shared = grant.sharedEmail, person.addresses.contains(shared) { return shared }
        return person.addresses.first
    }
}

/// The steps of an authorization, for the sheet, the control call and devices.
extension EmulatorCore {
    /// Remembers a request until a person has decided.
    /// - Returns: the name of the request in the sheet's forms.
    func insertPending(_ request: AuthorizationRequest) -> String {
        let id = randomness.pageID()
        change { $0.authorizations.insertPending(request, id: id, at: environment.seconds) }
        return id
    }

    /// Returns a request that waits for the person's decision.
    func findPending(_ id: String) throws(Refusal) -> AuthorizationRequest {
        try current.authorizations.findPending(id, at: environment.seconds)
    }

    /// Removes a request that waits and returns it, once: the person has decided.
    func removePending(_ id: String) throws(Refusal) -> AuthorizationRequest {
        try step { (state) throws(Refusal) in try state.authorizations.removePending(id, at: environment.seconds) }
    }

    /// Returns the response for a client when the person cancels: the only error that Apple sends to a redirect URI.
    func cancelled(_ request: AuthorizationRequest) -> AuthorizationAnswer {
        AuthorizationAnswer(
            request,
            [("error", AppleErrorCode.userCancelledAuthorize.rawValue), ("state", request.state)])
    }

    /// Returns the response for a client when the person continues. The grant is in the state file by then.
    func answer(
        _ request: AuthorizationRequest, by person: Portal.Person, _ consent: Consent
    ) async throws -> AuthorizationAnswer {
        let authorization = try await recordConsent(request, by: person, consent)
        return AuthorizationAnswer(
            request,
            [
                ("code", authorization.code.rawValue), ("id_token", try authorization.claims.map(signIdentityToken)),
                ("state", request.state), ("user", authorization.user),
            ])
    }

    /// Records a person's consent and issues a code. The grant is in the state file by then.
    func recordConsent(
        _ request: AuthorizationRequest, by person: Portal.Person, _ consent: Consent
    ) async throws -> Authorization {
        let code = AuthorizationCode(randomness.token("c"))
        let now = environment.seconds
        let authorization = try step { (state) throws(Refusal) in
            try state.authorize(request, by: person.id, consent: consent, code: code, at: now)
        }
        try await saveState()
        return authorization
    }
}

/// A request that waits for a person's decision, known by a random name that stands in the sheet's forms.
struct PendingAuthorization: Sendable {
    static let lifetime: Int64 = 600

    let request: AuthorizationRequest
}

/// A code on its way from the sheet to the token endpoint.
struct IssuedCode: Sendable, Codable {
    static let lifetime: Int64 = 300

    let client: ClientID
    let redirectURI: String?
    let codeChallenge: String?
    let nonce: String?
    let grant: Grant.Key
    let issuedAt: Int64
    /// Whether the app got the address beside the code. Nil in older snapshots, where it did.
    var tellsEmail: Bool?
    var isUsed = false
    /// The refresh token that the code was redeemed for.
    var refreshToken: String?
    var isRevoked = false
}

/// The outcome of a person's Continue, before anything is signed.
struct Authorization: Sendable {
    let code: AuthorizationCode
    let grant: Grant
    /// The scopes whose values the client gets beside the token: those that the person was asked for just now, with the name
    /// by ``Behaviour/siblingAppsGetName``, or none by ``Behaviour/revocationKeepsName``.
    let told: Set<Scope>
    /// The claims of the token beside the code; nil if the client asked for none.
    let claims: IdentityTokenClaims?
    /// The `user` field; nil if the client gets no value beside the token.
    let user: String?
}

/// The fields that go back to the client, in Apple's order, without those that have no value.
struct AuthorizationAnswer: Sendable {
    let destination: AuthorizationRequest.Destination
    /// All return URLs that the client has registered. The destination is one of them.
    let returnURLs: [String]
    let fields: [(name: String, value: String)]

    init(_ request: AuthorizationRequest, _ fields: [(name: String, value: String?)]) {
        destination = request.destination
        returnURLs = request.client.returnURLs
        self.fields = fields.compactMap { field in field.value.map { (field.name, $0) } }
    }

    /// The fields as a query or fragment would carry them; a space is `%20`.
    var encoded: String {
        fields.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}

extension Behaviour.IdentityTokenLifetime {
    fileprivate var seconds: Int64 {
        switch self {
        case .day: 86_400
        case .tenMinutes: 600
        }
    }
}
