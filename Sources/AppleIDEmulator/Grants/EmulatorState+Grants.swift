import AppleIDTypes

/// What people do in the settings of their Apple Account. Each step hands back the events that apps are to be told of.
extension EmulatorState {
    /// Stop Using: the consent ends with every token and code of it, and the next time is a first one.
    mutating func stopUsing(_ key: Grant.Key) throws(Refusal) -> [AccountEvent] {
        let (grant, person) = try use(key)
        _ = end(key)
        if quirks.contains(.stopUsingKeepsEmailChoice) { keptEmails[key] = KeptEmail(grant) }
        if quirks.contains(.stopUsingChangesRelay), grant.hidesEmail { changeRelay(person, grant.team) }
        return [AccountEvent(.consentRevoked, of: person, grant)]
    }

    /// Gives up an address that no app of the team has any more. Mail to the next one is forwarded.
    private mutating func changeRelay(_ person: Portal.Person, _ team: TeamID) {
        let relay = Relay(person: person.id, team: team)
        guard !grants.isInUse(relay) else { return }
        relayGenerations[person.id, default: [:]][team, default: 0] &+= 1
        stoppedRelays.remove(relay)
        relayCounts[relay] = nil
    }

    /// Switches the forwarding of mail to the relay address. Every app of the team that has the address is told, once.
    mutating func forward(_ isOn: Bool, for key: Grant.Key) throws(Refusal) -> [AccountEvent] {
        let (grant, person) = try use(key)
        guard grant.hidesEmail else {
            throw Refusal(
                .noRelayAddress, "This person shares the address itself with the app; nothing is forwarded.")
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

    /// A new password ends the refresh tokens of all apps, and nothing else: consents stay, and nobody is told, unless
    /// a quirk has it. The account itself is signed out in all browsers but the one where it was changed.
    ///
    /// - Parameter password: nil: what it is does not matter, and what was right before still is.
    mutating func changePassword(
        of person: Portal.Person, to password: String? = nil, in session: String? = nil
    ) -> [AccountEvent] {
        refreshTokens.removeAll { _, token in token.grant.person == person.id }
        endAccountSessions(of: person, except: session)
        if let password {
            var registry = registry
            registry.setPassword(password, of: person)
            replace(registry)
        }
        revision += 1
        guard quirks.contains(.passwordChangeNotifies) else { return [] }
        return sortedGrants.filter { $0.key.person == person.id }.map { AccountEvent(.consentRevoked, of: person, $0) }
    }

    /// The account is gone: its consents, its tokens, and the person from the portal.
    mutating func deleteAccount(of person: Portal.Person) -> [AccountEvent] {
        let ended = sortedGrants.filter { $0.key.person == person.id }
        forget { $0 == person.id }
        countDeletedAccount(person.id)
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
            throw Refusal(.unknownGrant, "This person does not use the app.")
        }
        return (grant, person)
    }
}
