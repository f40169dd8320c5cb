import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/grants`: the people who use apps, and the changes that they make in the settings of their account.
struct GrantEndpoint: Sendable {
    let core: EmulatorCore

    /// `GET /emulator/grants`
    @Sendable func grants(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let state = core.current
        return .uncachedJSON(.object([("grants", .array(state.grants.sorted.compactMap { json($0, in: state) }))]))
    }

    /// `POST /emulator/grants/stop-using` with `person` and `clientID`.
    @Sendable func stopUsing(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let key = try grantKey(&body)
        try body.checkAllWereRead()
        try await core.stopUsing(key)
        return Response(status: .noContent)
    }

    /// `POST /emulator/grants/forwarding` with `person`, `clientID` and `forwarding`.
    @Sendable func forwarding(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let key = try grantKey(&body)
        guard let isOn = try body.bool("forwarding") else { throw Members.refused("forwarding", "is missing") }
        try body.checkAllWereRead()
        try await core.forward(isOn, for: key)
        return Response(status: .noContent)
    }

    private func grantKey(_ body: inout Members) throws(Refusal) -> Grant.Key {
        try core.grantKey(person: try body.required("person"), clientID: try body.required("clientID"))
    }

    /// A grant as JSON, without members that nobody gave: a name that was not asked for, or forwarding without a relay.
    private func json(_ grant: Grant, in state: EmulatorState) -> JSONText? {
        guard let person = state.findPerson(grant.key.person) else { return nil }
        let identity = PairwiseIdentity(person: person, team: grant.team)
        let name = grant.name.map {
            JSONText.object([("firstName", .string($0.firstName)), ("lastName", .string($0.lastName))])
        }
        return .object([
            ("person", .string(person.id)),
            ("app", .string(grant.key.group.rawValue)),
            ("team", .string(grant.team.rawValue)),
            ("subject", .string(identity.subject.rawValue)),
            ("scopes", .array(grant.scopes.map(\.rawValue).sorted().map { .string($0) })),
            ("name", name),
            ("email", .string(state.email(of: person, grant))),
            ("hideEmail", .bool(grant.hidesEmail)),
            ("forwarding", state.isForwarding(grant).map { .bool($0) }),
            ("createdAt", .integer(grant.firstAuthorizedAt)),
        ])
    }
}

/// `/emulator/people`: changes of a whole Apple Account.
struct PeopleEndpoint: Sendable {
    let core: EmulatorCore

    /// `POST /emulator/people/change-password` with `person`.
    @Sendable func changePassword(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await core.changePassword(of: try await person(request))
        return Response(status: .noContent)
    }

    /// `POST /emulator/people/delete` with `person`.
    @Sendable func delete(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await core.deleteAccount(of: try await person(request))
        return Response(status: .noContent)
    }

    private func person(_ request: Request) async throws -> Portal.Person {
        var body = try Members(await request.boundedBody())
        let id = try body.required("person")
        try body.checkAllWereRead()
        return try core.person(id)
    }
}

extension EmulatorCore {
    /// The consent that a person gave to an app, named by any client of its group.
    func grantKey(person: String, clientID: String) throws(Refusal) -> Grant.Key {
        let client = try registry.client(ClientID(clientID))
        return Grant.Key(person: try self.person(person).id, group: client.group)
    }

    func stopUsing(_ key: Grant.Key) async throws {
        try await saveAndNotify(try step { (state) throws(Refusal) in try state.stopUsing(key) })
    }

    func forward(_ isOn: Bool, for key: Grant.Key) async throws {
        try await saveAndNotify(try step { (state) throws(Refusal) in try state.forward(isOn, for: key) })
    }

    func changePassword(
        of person: Portal.Person, to password: String? = nil, in session: String? = nil
    ) async throws {
        try await saveAndNotify(change { $0.changePassword(of: person, to: password, in: session) })
    }

    func deleteAccount(of person: Portal.Person) async throws {
        try await saveAndNotify(try step { $0.deleteAccount(of: person) })
    }

    /// Saves the state, then sends the events, so that no app hears of a change that might be lost.
    func saveAndNotify(_ events: [AccountEvent]) async throws {
        try await saveState()
        for event in events { try notifyApps(of: event) }
    }
}
