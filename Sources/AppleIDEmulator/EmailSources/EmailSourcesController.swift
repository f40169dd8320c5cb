import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/email-sources`: what teams may send mail to relay addresses from.
struct EmailSourcesController: Sendable {
    let authority: Authority

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        let sources = authority.portal.teams.flatMap { team in
            (team.emailSources ?? []).map { json($0, of: team.id) }
        }
        return .uncachedJSON(.object([("emailSources", .array(sources))]))
    }

    @Sendable func register(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let order = try EmailSourceOrder(await request.boundedBody())
        try await authority.register(order.source, for: order.team)
        return .uncachedJSON(json(order.source, of: order.team))
    }

    /// With `team` and `source`.
    @Sendable func remove(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let (team, name) = try await named(request)
        try await authority.remove(emailSource: name, of: team)
        return Response(status: .noContent)
    }

    /// With `team` and `source`. That a source does not pass is an answer, not a failure of the call.
    @Sendable func verify(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let (team, name) = try await named(request)
        let (source, check) = try await authority.verify(emailSource: name, of: team)
        return .uncachedJSON(json(source, of: team, check))
    }

    private func named(_ request: Request) async throws -> (TeamID, String) {
        var body = try Members(await request.boundedBody())
        let team = TeamID(try body.required("team"))
        let name = try body.required("source")
        try body.checkNothingIsLeft()
        return (team, name)
    }

    /// A domain comes with the file that the portal would hand out for it.
    private func json(_ source: Portal.EmailSource, of team: TeamID, _ check: AssociationCheck? = nil) -> JSONText {
        let file = MailAddress(source.source) == nil ? AssociationFile(team: team, domain: source.source) : nil
        return .object([
            ("team", .string(team.rawValue)),
            ("source", .string(source.source)),
            ("spf", .string((source.spf ?? .pass).rawValue)),
            ("dkim", .string((source.dkim ?? .pass).rawValue)),
            ("webServer", .string(source.webServer)),
            ("verified", .bool(source.verified == true)),
            ("associationFile", file?.json),
            ("association", .string(check?.description)),
        ])
    }
}
