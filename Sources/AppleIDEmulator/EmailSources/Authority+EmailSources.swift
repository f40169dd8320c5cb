import AppleIDTypes

extension Authority {
    /// Registers a source, or puts it in the place of the one with the same name.
    func register(_ source: Portal.EmailSource, for team: TeamID) async throws {
        try await changeSources { (portal) throws(EmulatorError) in
            guard portal.register(source, for: team) else {
                throw EmulatorError(.invalidPortal, "there is no team \(team)")
            }
        }
    }

    func remove(emailSource name: String, of team: TeamID) async throws {
        try await changeSources { (portal) throws(EmulatorError) in
            guard portal.remove(emailSource: name, of: team) else { throw Self.noSource(name, team) }
        }
    }

    /// The verify step: looks for the association file where one is served, and at the declared SPF and DKIM, of which
    /// one must pass. What comes out is remembered with the source.
    func verify(emailSource name: String, of team: TeamID) async throws -> (Portal.EmailSource, AssociationCheck) {
        guard let source = portal.emailSource(name, of: team) else {
            throw Refusal(.invalidRequest, Self.noSource(name, team).reason)
        }
        var check = AssociationCheck.notServed
        if let server = source.webServer, MailAddress(source.source) == nil {
            check = try await AssociationCheck.run(AssociationFile(team: team, domain: source.source), at: server)
        }
        var verified = source
        verified.verified = check.isGood && ((source.spf ?? .pass) == .pass || (source.dkim ?? .pass) == .pass)
        let result = verified
        try await changeSources { (portal) throws(EmulatorError) in
            // What was changed in the meantime was not verified.
            guard portal.emailSource(name, of: team) == source else { throw Self.noSource(name, team) }
            _ = portal.register(result, for: team)
        }
        return (result, check)
    }

    /// A mistake in the portal is the caller's here.
    private func changeSources(_ change: (inout Portal) throws(EmulatorError) -> Void) async throws {
        do {
            try await changePortal(change)
        } catch {
            guard error.code == .invalidPortal else { throw error }
            throw Refusal(.invalidRequest, error.reason)
        }
    }

    private static func noSource(_ name: String, _ team: TeamID) -> EmulatorError {
        EmulatorError(.invalidPortal, "team \(team) has no email source \(name)")
    }
}
