import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/portal/…`: entries of the portal, put in and taken out while the emulator runs. A call that puts answers
/// the entry as the portal shows it.
struct PortalChangesController: Sendable {
    let authority: Authority

    private var reader: PortalReader { PortalReader(environment: authority.environment) }

    /// `POST /emulator/portal/teams`; apps have calls of their own.
    @Sendable func putTeam(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let team = try reader.team(&body)
        guard team.apps.isEmpty else { throw Members.refused("apps", "has calls of its own") }
        try await authority.amendPortal({ $0.put(team) }) { (rules, portal) throws(EmulatorError) in
            try rules.check(team, at: "")
            try rules.checkCounts(portal)
        }
        return try shown { $0.teams.first { $0.id == team.id } }
    }

    /// `POST /emulator/portal/apps` with `team`; services and keys have calls of their own.
    @Sendable func putApp(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let team = TeamID(try body.required("team"))
        let app = try reader.app(&body)
        guard app.services.isEmpty, app.keys.isEmpty else {
            throw Members.refused(app.services.isEmpty ? "keys" : "services", "has calls of its own")
        }
        try await authority.amendPortal({ (portal) throws(Refusal) in try portal.put(app, in: team) }) {
            (rules, portal) throws(EmulatorError) in try rules.check(app.id, in: portal)
        }
        return try shown { $0.app(app.id) }
    }

    /// `POST /emulator/portal/services` with `app`.
    @Sendable func putService(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let app = ClientID(try body.required("app"))
        let service = try reader.service(&body)
        try await authority.amendPortal({ (portal) throws(Refusal) in try portal.put(service, in: app) }) {
            (rules, portal) throws(EmulatorError) in
            guard let team = portal.teams.first(where: { $0.apps.contains { $0.id == app } }) else { return }
            try rules.check(service, of: team, at: "")
            try rules.check(app, in: portal)
        }
        return try shown { $0.app(app)?.services.first { $0.id == service.id } }
    }

    /// `POST /emulator/portal/keys` with `app`; makes what is not given.
    @Sendable func putKey(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let app = ClientID(try body.required("app"))
        let key = try reader.key(&body)
        try await authority.amendPortal({ (portal) throws(Refusal) in try portal.put(key, in: app) }) {
            (rules, portal) throws(EmulatorError) in try rules.check(app, in: portal)
        }
        return try shown { $0.app(app)?.keys.first { $0.id == key.id } }
    }

    /// `POST /emulator/portal/people`
    @Sendable func putPerson(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let person = try reader.person(&body)
        try await authority.amendPortal({ $0.put(person) }) { (rules, portal) throws(EmulatorError) in
            try rules.check(person, at: "")
            try rules.checkCounts(portal)
            try rules.checkAddresses(of: person, in: portal)
        }
        return try shown { $0.people.first { $0.id == person.id } }
    }

    /// `POST /emulator/portal/teams/remove`, and so on: with `id`.
    static func remove(
        _ authority: Authority, _ take: @escaping @Sendable (inout Portal, String) throws(Refusal) -> Void
    ) -> Endpoints.Handler {
        { request, _ in
            var body = try Members(await request.boundedBody())
            let id = try body.required("id")
            try body.checkNothingIsLeft()
            try await authority.amendPortal { (portal) throws(Refusal) in try take(&portal, id) }
            return Response(status: .noContent)
        }
    }

    private func shown(_ entry: (Portal) -> (some Encodable)?) throws -> Response {
        // Another call may have taken it out again.
        guard let entry = entry(authority.portal) else { return .uncachedJSON(.object([])) }
        return try PortalController.response(entry)
    }
}
