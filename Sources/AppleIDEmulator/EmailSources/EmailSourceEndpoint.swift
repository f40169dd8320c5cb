import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/email-sources`: the domains and addresses from which teams may send mail to relay addresses.
struct EmailSourceEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        let sources = core.portal.teams.flatMap { team in
            (team.emailSources ?? []).map { json($0, of: team.id) }
        }
        return .uncachedJSON(.object([("emailSources", .array(sources))]))
    }

    @Sendable func register(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let call = try RegisterEmailSourceRequest(await request.boundedBody())
        try await core.register(call.source, for: call.team)
        return .uncachedJSON(json(call.source, of: call.team))
    }

    /// Removes the source that `team` and `source` name.
    @Sendable func remove(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let (team, name) = try await named(request)
        try await core.remove(emailSource: name, of: team)
        return Response(status: .noContent)
    }

    /// Verifies the source that `team` and `source` name. If the source doesn't pass, that is an answer, not a failure.
    @Sendable func verify(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let (team, name) = try await named(request)
        let (source, check) = try await core.verify(emailSource: name, of: team)
        return .uncachedJSON(json(source, of: team, check))
    }

    private func named(_ request: Request) async throws -> (TeamID, String) {
        var body = try Members(await request.boundedBody())
        let team = TeamID(try body.required("team"))
        let name = try body.required("source")
        try body.checkAllWereRead()
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

/// The body of `POST /emulator/email-sources`: a source as in a portal's file, and its team.
struct RegisterEmailSourceRequest: Sendable {
    let team: TeamID
    let source: Portal.EmailSource

    init(_ bytes: [UInt8]) throws(Refusal) {
        var members = try Members(bytes)
        team = TeamID(try members.required("team"))
        source = try PortalReader().emailSource(&members)
    }
}

extension EmulatorCore {
    /// Registers a source, or puts it in the place of the one with the same name.
    func register(_ source: Portal.EmailSource, for team: TeamID) async throws {
        try await amendPortal({ (portal) throws(Refusal) in
            guard portal.register(source, for: team) else {
                throw Refusal(.unknownTeam, "The portal has no such team.")
            }
        }) { (rules, _) throws(EmulatorError) in try rules.check(source, at: "") }
    }

    func remove(emailSource name: String, of team: TeamID) async throws {
        try await amendPortal { (portal) throws(Refusal) in
            guard portal.remove(emailSource: name, of: team) else { throw Self.noSource(name, team) }
        }
    }

    /// The verify step: requests the association file if a web server is named, and checks the declared SPF and DKIM,
    /// of which one must pass. The result is remembered with the source.
    func verify(emailSource name: String, of team: TeamID) async throws -> (Portal.EmailSource, AssociationCheck) {
        guard let source = portal.emailSource(name, of: team) else { throw Self.noSource(name, team) }
        var check = AssociationCheck.notServed
        if let server = source.webServer, MailAddress(source.source) == nil {
            check = try await AssociationCheck.run(AssociationFile(team: team, domain: source.source), at: server)
        }
        var verified = source
        verified.verified = check.isGood && ((source.spf ?? .pass) == .pass || (source.dkim ?? .pass) == .pass)
        let result = verified
        try await amendPortal { (portal) throws(Refusal) in
            guard portal.emailSource(name, of: team) == source else {
                throw Refusal(.conflict, "The email source was changed while it was verified. Verify it again.")
            }
            _ = portal.register(result, for: team)
        }
        return (result, check)
    }

    private static func noSource(_ name: String, _ team: TeamID) -> Refusal {
        Refusal(.unknownEmailSource, "Team \(team) has no email source \(name).")
    }
}
