import AppleIDTypes

extension Authority {
    /// An authorization as an app on a device asks for it. The same rules and the same grant as for all others.
    func authorize(_ order: DeviceOrder) async throws -> DeviceAnswer {
        var request = try rules.checkNative(order.parameters)
        request.realUserStatus = order.realUserStatus ?? request.realUserStatus
        let state = current
        guard case .person(let id) = order.account else {
            return .error(state.quirks.contains(.noAccountIsCanceled) ? .canceled : .unknown)
        }
        let person = try person(id)
        // The sheet does not open for an app without the capability, nor for accounts that Apple lets sign in nowhere.
        let isBarred = !person.hasTwoFactor || person.child == true && state.quirks.contains(.refusesChildren)
        if isBarred || state.quirks.contains(.capabilityOff) { return .error(.unknown) }
        if order.decision.isCancelled { return .error(.canceled) }
        if let user = order.user, !state.isSubject(user, of: person, for: request.client) { return .error(.failed) }

        let authorization = try await authorize(request, by: person, order.decision.consent(of: person))
        // A device always gets a token; the rules for it see to that.
        guard let claims = authorization.claims else { return .error(.failed) }
        let scopes = order.requestedScopes.filter(authorization.grant.scopes.contains)
        return .credential(
            DeviceCredential(
                user: claims.subject,
                state: request.state,
                authorizedScopes: state.quirks.contains(.scopesUntold) ? [] : scopes,
                code: authorization.code,
                identityToken: try sign(claims),
                email: authorization.asked.contains(.email) ? claims.email : nil,
                name: authorization.asked.contains(.name) ? authorization.grant.name : nil,
                realUserStatus: claims.realUserStatus ?? .unknown,
                ageRange: DeviceCredential.AgeRange(of: person)))
    }

    func credentialState(of user: Subject, clientID: String, on account: DeviceAccount?) throws(Refusal)
        -> CredentialState
    {
        let state = current
        guard let client = state.registry.clients[ClientID(clientID)], client.kind == .app else {
            throw Refusal(.invalidClient, "clientID must be an App ID.")
        }
        return state.credentialState(of: user, for: client, on: account)
    }
}
