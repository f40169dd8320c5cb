extension Registry {
    /// As many as Apple lets an organization have, and a single developer.
    static let maximumEmailSources = 100
    static let maximumEmailSourcesOfIndividuals = 32

    /// Throws when a team's sources are too many, stand twice, or are no domains and no addresses.
    /// - Parameter path: of the team in the portal.
    static func checkEmailSources(
        of team: Portal.Team, _ portal: Portal, _ path: String
    ) throws(EmulatorError) {
        let sources = team.emailSources ?? []
        let limit = team.individual == true ? maximumEmailSourcesOfIndividuals : maximumEmailSources
        guard sources.count <= limit else {
            throw EmulatorError(
                .invalidPortal, "there may be \(limit) email sources of such a team at most",
                place: path + "emailSources")
        }
        var names: Set<String> = []
        for (index, source) in sources.enumerated() {
            let place = "\(path)emailSources[\(index)].source"
            guard MailAddress.isDomain(source.source) || MailAddress(source.source) != nil else {
                throw EmulatorError(
                    .invalidPortal, "email source must be a domain or an address: \(source.source)", place: place)
            }
            guard names.insert(source.source.lowercased()).inserted else {
                throw EmulatorError(.invalidPortal, "email source stands twice: \(source.source)", place: place)
            }
            guard let server = source.webServer else { continue }
            guard let address = WebAddress(origin: server), portal.allowsCalls(to: address) else {
                throw EmulatorError(
                    .invalidPortal,
                    "web server of an email source must be https, or http to this machine, without path: \(server)",
                    place: "\(path)emailSources[\(index)].webServer")
            }
        }
    }
}
