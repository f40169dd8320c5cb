import AppleIDTypes

/// What people do in the settings of their Apple Account. Each step hands back the events that apps are to be told of.
extension EmulatorState {
    /// Stop Using: the consent ends with every token and code of it, and the next time is a first one.
    mutating func stopUsing(_ key: Grant.Key) throws(Refusal) -> [AccountEvent] {
        let (grant, person) = try use(key)
        _ = end(key)
        return [AccountEvent(.consentRevoked, of: person, grant)]
    }

    /// Switches the forwarding of mail to the relay address. Every app of the team that has the address is told, once.
    mutating func forward(_ isOn: Bool, for key: Grant.Key) throws(Refusal) -> [AccountEvent] {
        let (grant, person) = try use(key)
        guard grant.hidesEmail else {
            throw Refusal(
                "no_relay_address", "This person shares the address itself with the app; nothing is forwarded.")
        }
        let relay = Relay(person: person.id, team: grant.team)
        guard stoppedRelays.contains(relay) == isOn else { return [] }
        if isOn { stoppedRelays.remove(relay) } else { stoppedRelays.insert(relay) }
        revision += 1
        return sortedGrants.filter { $0.key.person == person.id && $0.team == grant.team && $0.hidesEmail }
            .map { AccountEvent(isOn ? .emailEnabled : .emailDisabled, of: person, $0) }
    }

    /// Whether mail to the relay address of this grant arrives; nil when the app has the address itself.
    func isForwarding(_ grant: Grant) -> Bool? {
        guard grant.hidesEmail else { return nil }
        return !stoppedRelays.contains(Relay(person: grant.key.person, team: grant.team))
    }

    /// A new password ends the refresh tokens of all apps, and nothing else: consents stay, and nobody is told. The
    /// account itself is signed out in all browsers but the one where it was changed.
    ///
    /// - Parameter password: nil: what it is does not matter, and what was right before still is.
    mutating func changePassword(of person: Portal.Person, to password: String? = nil, in session: String? = nil) {
        refreshTokens.removeAll { _, token in token.grant.person == person.id }
        endAccountSessions(of: person, except: session)
        if let password {
            var registry = registry
            registry.setPassword(password, of: person)
            replace(registry)
        }
        revision += 1
    }

    /// The account is gone: its consents, its tokens, and the person from the portal.
    mutating func deleteAccount(of person: Portal.Person) -> [AccountEvent] {
        let ended = sortedGrants.filter { $0.key.person == person.id }
        for grant in ended { _ = end(grant.key) }
        stoppedRelays = stoppedRelays.filter { $0.person != person.id }
        endAccountSessions(of: person)
        endedGrants = endedGrants.filter { $0.person != person.id }
        inboxes.removeAll(of: person.id)
        var registry = registry
        registry.remove(person)
        replace(registry)
        return ended.map { AccountEvent(.accountDeleted, of: person, $0) }
    }

    /// By person, then by app.
    var sortedGrants: [Grant] {
        grants.values.sorted { ($0.key.person, $0.key.group.rawValue) < ($1.key.person, $1.key.group.rawValue) }
    }

    private func use(_ key: Grant.Key) throws(Refusal) -> (Grant, Portal.Person) {
        guard let grant = grants[key], let person = registry.person(key.person) else {
            throw Refusal("unknown_grant", "This person does not use the app.")
        }
        return (grant, person)
    }
}
