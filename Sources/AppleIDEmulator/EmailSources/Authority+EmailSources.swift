import AppleIDTypes

extension Authority {
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

    /// The verify step: looks for the association file where one is served, and at the declared SPF and DKIM, of which
    /// one must pass. What comes out is remembered with the source.
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
