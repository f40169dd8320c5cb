import AppleIDTypes

extension Authority {
    /// The consent that a person gave to an app, named by any client of its group.
    func grantKey(person: String, clientID: String) throws(Refusal) -> Grant.Key {
        guard let client = registry.clients[ClientID(clientID)] else {
            throw Refusal(.invalidClient, "No client has this client_id.")
        }
        return Grant.Key(person: try self.person(person).id, group: client.group)
    }

    func stopUsing(_ key: Grant.Key) async throws {
        try await tell(try step { (state) throws(Refusal) in try state.stopUsing(key) })
    }

    func forward(_ isOn: Bool, for key: Grant.Key) async throws {
        try await tell(try step { (state) throws(Refusal) in try state.forward(isOn, for: key) })
    }

    func changePassword(
        of person: Portal.Person, to password: String? = nil, in session: String? = nil
    ) async throws {
        try await tell(change { $0.changePassword(of: person, to: password, in: session) })
    }

    func deleteAccount(of person: Portal.Person) async throws {
        try await tell(try step { $0.deleteAccount(of: person) })
    }

    /// Nobody is told of what might be forgotten: first the file, then the events.
    func tell(_ events: [AccountEvent]) async throws {
        try await keep()
        for event in events { try happened(event) }
    }
}
