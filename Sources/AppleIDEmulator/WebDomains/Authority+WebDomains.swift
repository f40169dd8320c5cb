import AppleIDTypes

extension Authority {
    /// The verify step for a domain of a Services ID: looks for the association file, and remembers what came out.
    func verify(_ order: WebDomainOrder) async throws -> (AssociationFile, AssociationCheck) {
        let portal = portal
        guard let team = registry.clients[order.service]?.team, let service = portal.service(order.service) else {
            throw Refusal(.unknownService, "The portal has no such service.")
        }
        guard service.domains.contains(order.domain) else {
            throw Members.refused("domain", "is not among the domains of the Services ID")
        }
        guard let address = WebAddress(origin: order.webServer), portal.allowsCalls(to: address) else {
            throw Members.refused("webServer", "must be https, or http to this machine, without path")
        }
        let file = AssociationFile(team: team, domain: order.domain)
        let check = try await AssociationCheck.run(file, at: order.webServer)
        try await amendPortal { (portal) throws(Refusal) in
            guard portal.service(order.service) == service else {
                throw Refusal(.conflict, "The Services ID was changed while its domain was verified. Verify it again.")
            }
            portal.note(order.domain, isVerified: check.isGood, of: order.service)
        }
        return (file, check)
    }
}

extension Portal {
    fileprivate func service(_ id: ClientID) -> Service? {
        teams.flatMap(\.apps).flatMap(\.services).first { $0.id == id }
    }

    fileprivate mutating func note(_ domain: String, isVerified: Bool, of id: ClientID) {
        for team in teams.indices {
            for app in teams[team].apps.indices {
                for index in teams[team].apps[app].services.indices
                where teams[team].apps[app].services[index].id == id {
                    var verified = teams[team].apps[app].services[index].verifiedDomains ?? []
                    verified.removeAll { $0 == domain }
                    if isVerified { verified.append(domain) }
                    teams[team].apps[app].services[index].verifiedDomains = verified.isEmpty ? nil : verified
                }
            }
        }
    }
}
