import AppleIDTypes

extension Portal {
    /// A domain or a single address that a team sends mail to relay addresses from.
    public struct EmailSource: Hashable, Sendable, Codable {
        /// The result that a receiver of mail gets for SPF or DKIM. The emulator asks no name server; the portal
        /// declares the result.
        public enum Check: String, Hashable, Sendable, Codable {
            /// There is a record, and the team's mail agrees with it.
            case pass
            /// There is a record, and the team's mail disagrees with it.
            case fail
            /// There is no record.
            case none
        }

        /// The domain or the address, such as `example.com` or `news@example.com`. A domain stands for itself alone,
        /// not for its subdomains.
        public var source: String
        /// The result of SPF for mail with this envelope sender. Nil means that it passes.
        public var spf: Check?
        /// The result of DKIM for mail with a signature of this domain. Nil means that it passes.
        public var dkim: Check?
        /// The URL of the domain's web server with Apple's association file, such as `https://mail.example.com`. It may
        /// be `http` by the rule of ``Portal/plainNotificationHosts``. If nil, the emulator doesn't ask for the file.
        public var webServer: String?
        /// Whether the source passed the verify step. The relay refuses mail from others. Nil means no.
        public var verified: Bool?

        /// Creates an email source.
        public init(
            source: String, spf: Check? = nil, dkim: Check? = nil, webServer: String? = nil, verified: Bool? = nil
        ) {
            self.source = source
            self.spf = spf
            self.dkim = dkim
            self.webServer = webServer
            self.verified = verified
        }
    }
}

extension Portal {
    /// Adds a source to a team, and returns whether there is such a team.
    mutating func register(_ source: EmailSource, for id: TeamID) -> Bool {
        guard let team = teams.firstIndex(where: { $0.id == id }) else { return false }
        remove(emailSource: source.source, of: id)
        teams[team].emailSources = (teams[team].emailSources ?? []) + [source]
        return true
    }

    /// Removes a source, and returns whether there was such a source.
    @discardableResult
    mutating func remove(emailSource name: String, of id: TeamID) -> Bool {
        guard emailSource(name, of: id) != nil, let team = teams.firstIndex(where: { $0.id == id }) else {
            return false
        }
        teams[team].emailSources?.removeAll { $0.source.lowercased() == name.lowercased() }
        return true
    }

    func emailSource(_ name: String, of id: TeamID) -> EmailSource? {
        teams.first { $0.id == id }?.emailSources?.first { $0.source.lowercased() == name.lowercased() }
    }
}

extension PortalReader {
    func emailSource(_ members: inout Members) throws(Refusal) -> Portal.EmailSource {
        let source = Portal.EmailSource(
            source: try members.required("source"), spf: try check("spf", &members), dkim: try check("dkim", &members),
            webServer: try members.string("webServer"), verified: try members.bool("verified"))
        try members.checkAllWereRead()
        return source
    }

    private func check(_ name: String, _ members: inout Members) throws(Refusal) -> Portal.EmailSource.Check? {
        guard let word = try members.string(name) else { return nil }
        guard let check = Portal.EmailSource.Check(rawValue: word) else {
            throw Members.refused(members.path + name, "must be \"pass\", \"fail\" or \"none\"")
        }
        return check
    }
}

extension Registry {
    /// The maximum number of sources of an organization, and below it that of a single developer.
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
