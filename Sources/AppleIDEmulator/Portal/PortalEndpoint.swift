import AppleIDTypes
import HTTPTypes
import Hummingbird

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `GET /emulator/portal`: all that a relying party must configure, private keys included.
struct PortalEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func portal(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try Self.response(core.portal)
    }

    /// A response that may hold private keys, and so is stored nowhere on its way.
    static func response(_ value: some Encodable) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var response = Response.json(text: String(decoding: try encoder.encode(value), as: UTF8.self))
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

/// `/emulator/portal/…`: adds, changes and removes entries of the portal while the emulator runs. A call that adds or
/// changes an entry answers with the entry as the portal shows it.
struct PortalChangeEndpoint: Sendable {
    let core: EmulatorCore

    private var reader: PortalReader { PortalReader(environment: core.environment) }

    /// `POST /emulator/portal/teams`; apps have calls of their own.
    @Sendable func putTeam(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let team = try reader.team(&body)
        guard team.apps.isEmpty else { throw Members.refused("apps", "has calls of its own") }
        try await core.amendPortal({ $0.put(team) }) { (rules, portal) throws(EmulatorError) in
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
        try await core.amendPortal({ (portal) throws(Refusal) in try portal.put(app, in: team) }) {
            (rules, portal) throws(EmulatorError) in try rules.check(app.id, in: portal)
        }
        return try shown { $0.app(app.id) }
    }

    /// `POST /emulator/portal/services` with `app`.
    @Sendable func putService(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let app = ClientID(try body.required("app"))
        let service = try reader.service(&body)
        try await core.amendPortal({ (portal) throws(Refusal) in try portal.put(service, in: app) }) {
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
        try await core.amendPortal({ (portal) throws(Refusal) in try portal.put(key, in: app) }) {
            (rules, portal) throws(EmulatorError) in try rules.check(app, in: portal)
        }
        return try shown { $0.app(app)?.keys.first { $0.id == key.id } }
    }

    /// `POST /emulator/portal/people`
    @Sendable func putPerson(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let person = try reader.person(&body)
        try await core.amendPortal({ $0.put(person) }) { (rules, portal) throws(EmulatorError) in
            try rules.check(person, at: "")
            try rules.checkCounts(portal)
            try rules.checkAddresses(of: person, in: portal)
        }
        return try shown { $0.people.first { $0.id == person.id } }
    }

    /// `POST /emulator/portal/teams/remove` with `id`.
    @Sendable func removeTeam(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await remove(request) { (portal, id) throws(Refusal) in try portal.remove(TeamID(id)) }
    }

    /// `POST /emulator/portal/apps/remove` with `id`.
    @Sendable func removeApp(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await remove(request) { (portal, id) throws(Refusal) in try portal.remove(app: ClientID(id)) }
    }

    /// `POST /emulator/portal/services/remove` with `id`.
    @Sendable func removeService(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await remove(request) { (portal, id) throws(Refusal) in try portal.remove(service: ClientID(id)) }
    }

    /// `POST /emulator/portal/keys/remove` with `id`.
    @Sendable func removeKey(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await remove(request) { (portal, id) throws(Refusal) in try portal.remove(KeyID(id)) }
    }

    /// `POST /emulator/portal/people/remove` with `id`.
    @Sendable func removePerson(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await remove(request) { (portal, id) throws(Refusal) in try portal.remove(person: id) }
    }

    private func remove(
        _ request: Request, _ take: @escaping @Sendable (inout Portal, String) throws(Refusal) -> Void
    ) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let id = try body.required("id")
        try body.checkAllWereRead()
        try await core.amendPortal { (portal) throws(Refusal) in try take(&portal, id) }
        return Response(status: .noContent)
    }

    private func shown(_ entry: (Portal) -> (some Encodable)?) throws -> Response {
        // Another call may have taken it out again.
        guard let entry = entry(core.portal) else { return .uncachedJSON(.object([])) }
        return try PortalEndpoint.response(entry)
    }
}

extension EmulatorCore {
    /// Changes the portal by order of a control call. A change that makes the portal contradict itself is refused.
    /// - Parameter check: applies Apple's rules to the new entry. Other entries needn't keep them, because the person who
    ///   starts an emulator may pass a freer portal.
    func amendPortal(
        _ change: @escaping (inout Portal) throws(Refusal) -> Void,
        keeping check: @escaping (PortalRules, Portal) throws(EmulatorError) -> Void = { _, _ in }
    ) async throws {
        try step { [rules = PortalRules(isStrict: configuration.strictURLs)] (state) throws(Refusal) in
            var portal = state.registry.portal
            try change(&portal)
            do throws(EmulatorError) {
                let registry = try Registry(portal)
                try check(rules, portal)
                state.replacePortal(with: registry)
            } catch {
                throw Refusal(error)
            }
        }
        try await saveState()
    }
}
