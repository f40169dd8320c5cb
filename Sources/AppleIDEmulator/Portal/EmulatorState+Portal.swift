import AppleIDTypes

extension EmulatorState {
    /// Puts another portal in the place of the present one, and forgets what belonged to people, apps and clients that
    /// are gone. Nobody is told of it: Apple's notifications are about what people do.
    mutating func change(to registry: Registry) {
        replace(registry)
        forget { registry.person($0) == nil }
        for key in grants.keys {
            guard isStillThere(key), let team = registry.clients[key.group]?.team else {
                grants[key] = nil
                continue
            }
            grants[key]?.put(with: team)
        }
        endedGrants = endedGrants.filter(isStillThere)
        keptNames = keptNames.filter(isStillThere)
        keptEmails = keptEmails.filter { isStillThere($0.key) }
        let teams = Set(registry.portal.teams.map(\.id))
        stoppedRelays = stoppedRelays.filter { teams.contains($0.team) }
        relayCounts = relayCounts.filter { teams.contains($0.key.team) }
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
        guard let client = registry.clients[key.group] else { return false }
        return client.kind == .app && client.group == key.group
    }
}
