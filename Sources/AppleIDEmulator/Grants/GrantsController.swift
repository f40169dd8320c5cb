import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/grants`: which people use which apps, and what they change about it in the settings of their account.
struct GrantsController: Sendable {
    let authority: Authority

    /// `GET /emulator/grants`
    @Sendable func grants(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let state = authority.current
        return .uncachedJSON(.object([("grants", .array(state.sortedGrants.compactMap { json($0, in: state) }))]))
    }

    /// `POST /emulator/grants/stop-using` with `person` and `clientID`.
    @Sendable func stopUsing(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let key = try grantKey(&body)
        try body.checkNothingIsLeft()
        try await authority.stopUsing(key)
        return Response(status: .noContent)
    }

    /// `POST /emulator/grants/forwarding` with `person`, `clientID` and `forwarding`.
    @Sendable func forwarding(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let key = try grantKey(&body)
        guard let isOn = try body.bool("forwarding") else { throw Members.refused("forwarding", "is missing") }
        try body.checkNothingIsLeft()
        try await authority.forward(isOn, for: key)
        return Response(status: .noContent)
    }

    private func grantKey(_ body: inout Members) throws(Refusal) -> Grant.Key {
        try authority.grantKey(person: try body.required("person"), clientID: try body.required("clientID"))
    }

    /// What nobody gave is left out: a name that was not asked for, forwarding of an address that is not the relay's.
    private func json(_ grant: Grant, in state: EmulatorState) -> JSONText? {
        guard let person = state.registry.person(grant.key.person) else { return nil }
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
