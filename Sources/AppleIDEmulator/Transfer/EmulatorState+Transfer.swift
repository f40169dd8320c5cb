import AppleIDTypes

extension EmulatorState {
    /// Moves an app with its Services IDs and its people to another team. They have other subjects there, and other
    /// relay addresses. The app gets a new key; the old ones are good for the sender's half of the migration only.
    mutating func transfer(
        _ app: ClientID, to team: TeamID, newKey: Portal.Key, at now: Int64
    ) throws(Refusal) -> Transfer {
        guard let client = registry.clients[app], client.kind == .app, client.group == app else {
            throw Refusal(.invalidClient, "clientID must be a primary App ID.")
        }
        guard !registry.clients.values.contains(where: { $0.kind == .app && $0.group == app && $0.id != app }) else {
            throw Refusal(.groupedApp, "Other App IDs are grouped with this one; Apple wants them ungrouped first.")
        }
        var portal = registry.portal
        guard portal.teams.contains(where: { $0.id == team }) else {
            throw Refusal(.unknownTeam, "No team has this id.")
        }
        guard client.team != team else { throw Refusal(.invalidRequest, "The app belongs to this team already.") }
        let formerKeys = portal.move(app, to: team, newKey: newKey)
        let transfer = Transfer(app: app, from: client.team, to: team, acceptedAt: now, formerKeys: formerKeys)
        do throws(EmulatorError) {
            let registry = try Registry(portal)
            try transfers.append(transfer)
            setRegistry(registry)
        } catch {
            throw Refusal(error)
        }
        for key in grants.keys where key.group == app { grants[key]?.transfer(with: transfer) }
        return transfer
    }

    /// Returns the person's transfer subject between the two teams, which tokens tell for sixty days.
    func transferSubject(of person: Portal.Person, _ grant: Grant, at now: Int64) -> Subject? {
        guard let transfer = transfers.last(of: grant.key.group), transfer.isOpen(at: now), transfer.moved(grant) else {
            return nil
        }
        return transfer.subject(of: person)
    }

    /// Answers either side, for a client whose secret was found good. Apple documents `invalid_request` for all that
    /// is wrong here.
    func migrate(
        _ request: MigrationRequest, for client: Registry.Client, accessToken: String?, at now: Int64
    ) throws(Refusal) -> MigrationAnswer {
        guard let accessToken, let issued = tokens.accessTokens.value(accessToken, at: now) else {
            throw Refusal(.invalidRequest, "The access token is missing, unknown, or has expired.")
        }
        guard issued.client == client.id, issued.team == client.team else {
            throw Refusal(.invalidRequest, "The access token was not issued to this client of this team.")
        }
        switch request {
        case .outgoing(let subject, let target): return try send(subject, to: target, client, at: now)
        case .incoming(let subject): return try receive(subject, client, at: now)
        }
    }

    /// Before the recipient has accepted, any team may be the target; then only the one that has the app.
    ///
    /// The sender's own team is a target at any time: Apple issues a transfer subject for it, which no recipient can
    /// use.
    private func send(
        _ subject: Subject, to target: TeamID, _ client: Registry.Client, at now: Int64
    ) throws(Refusal) -> MigrationAnswer {
        guard registry.portal.teams.contains(where: { $0.id == target }) else {
            throw Refusal(.invalidRequest, "target must be the Team ID of another team.")
        }
        let isOwnTeam = target == client.team
        guard !isOwnTeam || behaviour.ownTeamTarget != .invalidRequest else {
            throw Refusal(.invalidRequest, "target must be the Team ID of another team.")
        }
        let isOwner = registry.clients[client.id]?.team == client.team
        let transfer = isOwner ? nil : transfers.last(of: client.group)
        if !isOwner {
            guard let transfer, transfer.from == client.team, isOwnTeam || transfer.to == target else {
                throw Refusal(.invalidRequest, "target is not the team that has the app.")
            }
            guard transfer.isOpen(at: now) else { throw Self.windowIsOver }
        }
        guard let person = findPerson(subject, of: client.team),
            let grant = grants[Grant.Key(person: person.id, group: client.group)], transfer?.moved(grant) != false
        else { throw Refusal(.invalidRequest, "sub is nobody's who uses the app.") }
        return .transferSubject(PairwiseIdentity(person: person, team: client.team).transferSubject(to: target))
    }

    private func receive(
        _ subject: Subject, _ client: Registry.Client, at now: Int64
    ) throws(Refusal) -> MigrationAnswer {
        guard let transfer = transfers.last(of: client.group), transfer.to == client.team else {
            throw Refusal(.invalidRequest, "The app did not come from another team.")
        }
        guard transfer.isOpen(at: now) else { throw Self.windowIsOver }
        guard let person = findPerson(subject, of: transfer.from, to: transfer.to),
            let grant = grants[Grant.Key(person: person.id, group: client.group)], transfer.moved(grant)
        else { throw Refusal(.invalidRequest, "transfer_sub is nobody's who uses the app.") }
        let identity = PairwiseIdentity(person: person, team: client.team)
        return .subject(identity.subject, relayAddress: grant.hidesEmail ? identity.relayAddress : nil)
    }

    private static var windowIsOver: Refusal {
        Refusal(.invalidRequest, "The sixty days since the transfer are over.")
    }
}
