import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /emulator/portal/services/verify`: shows that a domain of a Services ID belongs to the team. If it doesn't,
/// that is an answer, not a failure.
struct WebDomainEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func verify(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let call = try VerifyWebDomainRequest(await request.boundedBody())
        let (file, check) = try await core.verify(call)
        return .uncachedJSON(
            .object([
                ("id", .string(call.service.rawValue)), ("domain", .string(call.domain)),
                ("verified", .bool(check.isGood)), ("association", .string(check.description)),
                ("associationFile", file.json),
            ]))
    }
}

/// The body of `POST /emulator/portal/services/verify`: which domain of which Services ID, and where it is reached.
struct VerifyWebDomainRequest: Sendable {
    let service: ClientID
    let domain: String
    /// `http` or `https`, a host, and a port if wanted. Named, because a made-up domain is nowhere, and a real one is
    /// not for an emulator to visit by itself.
    let webServer: String

    init(_ bytes: [UInt8]) throws(Refusal) {
        var members = try Members(bytes)
        service = ClientID(try members.required("id"))
        domain = try members.required("domain")
        webServer = try members.required("webServer")
        try members.checkAllWereRead()
    }
}

extension EmulatorCore {
    /// The verify step for a domain of a Services ID: requests the association file, and stores the result.
    func verify(_ call: VerifyWebDomainRequest) async throws -> (AssociationFile, AssociationCheck) {
        let portal = portal
        guard let team = registry.clients[call.service]?.team, let service = portal.service(call.service) else {
            throw Refusal(.unknownService, "The portal has no such service.")
        }
        guard service.domains.contains(call.domain) else {
            throw Members.refused("domain", "is not among the domains of the Services ID")
        }
        guard let address = WebAddress(origin: call.webServer), portal.allowsCalls(to: address) else {
            throw Members.refused("webServer", "must be https, or http to this machine, without path")
        }
        let file = AssociationFile(team: team, domain: call.domain)
        let check = try await AssociationCheck.run(file, at: call.webServer)
        try await amendPortal { (portal) throws(Refusal) in
            guard portal.service(call.service) == service else {
                throw Refusal(.conflict, "The Services ID was changed while its domain was verified. Verify it again.")
            }
            portal.record(call.domain, isVerified: check.isGood, of: call.service)
        }
        return (file, check)
    }
}

extension Portal {
    fileprivate func service(_ id: ClientID) -> Service? {
        teams.flatMap(\.apps).flatMap(\.services).first { $0.id == id }
    }

    fileprivate mutating func record(_ domain: String, isVerified: Bool, of id: ClientID) {
        changeService(id) { service in
            var verified = service.verifiedDomains ?? []
            verified.removeAll { $0 == domain }
            if isVerified { verified.append(domain) }
            service.verifiedDomains = verified.isEmpty ? nil : verified
        }
    }
}
