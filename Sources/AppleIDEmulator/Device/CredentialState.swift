import AppleIDTypes

/// The state of a user identifier on a device, with the framework's names and numbers.
enum CredentialState: Int64, Sendable {
    case revoked = 0
    case authorized = 1
    case notFound = 2
    case transferred = 3
}

extension EmulatorState {
    /// Returns the answer of a device about a user identifier that an app has stored.
    ///
    /// - Parameter account: the person who is signed in to the device; nil for the person of the identifier.
    func credentialState(
        of user: Subject, for client: Registry.Client, on account: DeviceAccount?
    ) -> CredentialState {
        for person in everybody {
            if let account, account != .person(person.id) { continue }
            let key = Grant.Key(person: person.id, group: client.group)
            if PairwiseIdentity(person: person, team: client.team).subject == user {
                if grants[key] != nil { return .authorized }
                return grants.ended.contains(key) ? .revoked : .notFound
            }
            if let transfer = transfer(bringing: user, of: person, to: client) {
                if let grant = grants[key] { return transfer.moved(grant) ? .transferred : .notFound }
                return grants.ended.contains(key) ? .revoked : .notFound
            }
        }
        return .notFound
    }

    /// Whether this identifier is the person's, or was the person's before a transfer.
    func isSubject(_ user: Subject, of person: Portal.Person, for client: Registry.Client) -> Bool {
        PairwiseIdentity(person: person, team: client.team).subject == user
            || transfer(bringing: user, of: person, to: client) != nil
    }

    /// The transfer before which the app knew the person by this identifier.
    private func transfer(bringing user: Subject, of person: Portal.Person, to client: Registry.Client) -> Transfer? {
        transfers.all.last { transfer in
            transfer.app == client.group && PairwiseIdentity(person: person, team: transfer.from).subject == user
        }
    }
}
