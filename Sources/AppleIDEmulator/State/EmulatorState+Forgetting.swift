extension EmulatorState {
    /// Forgets all that is kept of people, whether they have deleted their account or the portal has them no more.
    /// Whoever comes later under the same id begins anew.
    mutating func forget(people isGone: (String) -> Bool) {
        for key in grants.keys where isGone(key.person) { grants[key] = nil }
        endedGrants = endedGrants.filter { !isGone($0.person) }
        keptNames = keptNames.filter { !isGone($0.person) }
        keptEmails = keptEmails.filter { !isGone($0.key.person) }
        stoppedRelays = stoppedRelays.filter { !isGone($0.person) }
        relayGenerations = relayGenerations.filter { !isGone($0.key) }
        relayCounts = relayCounts.filter { !isGone($0.key.person) }
        inboxes.removeAll(ofPeople: isGone)
        accountSessions.removeAll { _, session in isGone(session.person) }
        refreshTokens.removeAll { _, token in isGone(token.grant.person) }
        accessTokens.removeAll { _, token in token.session.map { isGone($0.grant.person) } ?? false }
        codes.removeAll { _, code in isGone(code.grant.person) }
        revision += 1
    }
}
