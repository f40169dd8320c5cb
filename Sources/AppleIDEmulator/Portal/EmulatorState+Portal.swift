import AppleIDTypes

extension EmulatorState {
    /// Puts another portal in the place of the present one, and forgets what belonged to people, apps and clients that
    /// are gone. Nobody is told of it: Apple's notifications are about what people do.
    mutating func change(to registry: Registry) {
        replace(registry)
        for key in grants.keys { grants[key]?.team = registry.clients[key.group]?.team ?? TeamID("") }
        for key in grants.keys where !isStillThere(key) { grants[key] = nil }
        endedGrants = endedGrants.filter(isStillThere)
        keptNames = keptNames.filter(isStillThere)
        let teams = Set(registry.portal.teams.map(\.id))
        stoppedRelays = stoppedRelays.filter { registry.person($0.person) != nil && teams.contains($0.team) }
        relayGenerations = relayGenerations.filter { registry.person($0.key) != nil }
        relayCounts = relayCounts.filter { registry.person($0.key.person) != nil && teams.contains($0.key.team) }
        inboxes.removeAll { registry.person($0) == nil }
        let (clients, grants) = (registry.clients, self.grants)
        refreshTokens.removeAll { _, token in clients[token.client] == nil || grants[token.grant] == nil }
        accessTokens.removeAll { _, token in
            clients[token.client] == nil || token.session.map { grants[$0.grant] == nil } ?? false
        }
        codes.removeAll { _, code in clients[code.client] == nil || grants[code.grant] == nil }
        pending.removeAll { _, pending in clients[pending.request.client.id]?.group != pending.request.client.group }
    }

    /// A consent is kept with the primary App ID. One that has become secondary has no consents of its own any more.
    private func isStillThere(_ key: Grant.Key) -> Bool {
        guard let client = registry.clients[key.group], client.kind == .app, client.group == key.group else {
            return false
        }
        return registry.person(key.person) != nil
    }
}
