import AppleIDTypes

/// The steps that people take in the settings of their Apple Account. Each returns the events that apps must get.
extension EmulatorState {
    /// Stop Using: the consent ends with every token and code of it, and the next time is a first one.
    mutating func stopUsing(_ key: Grant.Key) throws(Refusal) -> [AccountEvent] {
        let (grant, person) = try consent(for: key)
        _ = endConsent(key)
        if behaviour.stopUsingKeepsEmailChoice { grants.rememberedEmails[key] = RememberedEmail(grant) }
        if behaviour.stopUsingChangesRelayAddress, grant.hidesEmail { changeRelay(person, grant.team) }
        return [AccountEvent(.consentRevoked, of: person, grant)]
    }

    /// Gives up an address that no app of the team has any more. Mail to the next one is forwarded.
    private mutating func changeRelay(_ person: Portal.Person, _ team: TeamID) {
        let relay = RelayMailbox(person: person.id, team: team)
        guard !grants.isInUse(relay) else { return }
        grants.relayGenerations[person.id, default: [:]][team, default: 0] &+= 1
        self.relay.stopped.remove(relay)
        self.relay.counts[relay] = nil
    }

    /// Switches the forwarding of mail to the relay address. Every app of the team that has the address is told, once.
    mutating func forward(_ isOn: Bool, for key: Grant.Key) throws(Refusal) -> [AccountEvent] {
        let (grant, person) = try consent(for: key)
        guard grant.hidesEmail else {
            throw Refusal(
                .noRelayAddress, "This person shares the address itself with the app; nothing is forwarded.")
        }
        let relay = RelayMailbox(person: person.id, team: grant.team)
        guard self.relay.stopped.contains(relay) == isOn else { return [] }
        if isOn { self.relay.stopped.remove(relay) } else { self.relay.stopped.insert(relay) }
        revision += 1
        return grants.sorted.filter { $0.key.person == person.id && $0.team == grant.team && $0.hidesEmail }
            .map { AccountEvent(isOn ? .emailEnabled : .emailDisabled, of: person, $0) }
    }

    /// Whether mail to the relay address of this grant arrives; nil when the app has the address itself.
    func isForwarding(_ grant: Grant) -> Bool? {
        guard grant.hidesEmail else { return nil }
        return !self.relay.stopped.contains(RelayMailbox(person: grant.key.person, team: grant.team))
    }

    /// Ends the refresh tokens of all apps, as a new password does. Consents stay, and apps aren't notified, unless
    /// ``Behaviour/passwordChangeNotifies``. The account is signed out in all browsers but the one of the change.
    ///
    /// - Parameter password: the new password; nil if it doesn't matter, and then the old one stays.
    mutating func changePassword(
        of person: Portal.Person, to password: String? = nil, in session: String? = nil
    ) -> [AccountEvent] {
        tokens.refreshTokens.removeAll { _, token in token.grant.person == person.id }
        accountSessions.end(of: person, except: session)
        if let password {
            var registry = registry
            registry.setPassword(password, of: person)
            setRegistry(registry)
        }
        revision += 1
        guard behaviour.passwordChangeNotifies else { return [] }
        return grants.sorted.filter { $0.key.person == person.id }.map { AccountEvent(.consentRevoked, of: person, $0) }
    }

    /// The account is gone: its consents, its tokens, and the person from the portal.
    mutating func deleteAccount(of person: Portal.Person) -> [AccountEvent] {
        let ended = grants.sorted.filter { $0.key.person == person.id }
        forget { $0 == person.id }
        countDeletedAccount(person.id)
        var registry = registry
        registry.remove(person)
        setRegistry(registry)
        return ended.map { AccountEvent(.accountDeleted, of: person, $0) }
    }

    private func consent(for key: Grant.Key) throws(Refusal) -> (Grant, Portal.Person) {
        guard let grant = grants[key], let person = findPerson(key.person) else {
            throw Refusal(.unknownGrant, "This person does not use the app.")
        }
        return (grant, person)
    }
}
