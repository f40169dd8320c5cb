import AppleIDTypes

/// The rules of Apple's portal, for portals that come from outside: files and control calls.
///
/// ``Registry`` refuses contradictions. These rules refuse entries that Apple's portal would refuse. Strict, the rules
/// for addresses and identifiers are Apple's to the letter; else `http` to this machine passes, and identifiers may
/// have any length.
struct PortalRules {
    static let maximumKeys = 2
    static let maximumReturnURLs = 100
    static let maximumReturnURLsOfIndividuals = 10
    /// These are the emulator's own, so that no portal is without bounds.
    static let maximumTeams = 100
    static let maximumApps = 100
    static let maximumServices = 100
    static let maximumPeople = 1_000
    static let maximumPlainHosts = 100
    static let maximumTextLength = 255
    static let maximumURLLength = 2_048

    let isStrict: Bool

    func check(_ portal: Portal) throws(EmulatorError) {
        try checkCounts(portal)
        let hosts = portal.plainNotificationHosts ?? []
        try check(hosts.count, Self.maximumPlainHosts, "hosts", at: "plainNotificationHosts")
        for (index, host) in hosts.enumerated() { try checkLength(host, at: "plainNotificationHosts[\(index)]") }
        for (index, team) in portal.teams.enumerated() { try check(team, at: "teams[\(index)].") }
        for (index, person) in portal.people.enumerated() { try check(person, at: "people[\(index)].") }
        try checkAddresses(portal)
    }

    func checkCounts(_ portal: Portal) throws(EmulatorError) {
        try check(portal.teams.count, Self.maximumTeams, "teams", at: "teams")
        try check(portal.people.count, Self.maximumPeople, "people", at: "people")
    }

    /// Checks an email source that was registered alone.
    func check(_ source: Portal.EmailSource, at path: String) throws(EmulatorError) {
        if let server = source.webServer { try checkLength(server, at: path + "webServer", Self.maximumURLLength) }
    }

    /// Checks an app that was changed, and that its team doesn't have too many apps.
    func check(_ id: ClientID, in portal: Portal) throws(EmulatorError) {
        for team in portal.teams {
            guard let app = team.apps.first(where: { $0.id == id }) else { continue }
            try check(team.apps.count, Self.maximumApps, "apps", at: "apps")
            try check(app.services.count, Self.maximumServices, "services", at: "services")
            try check(app.own, of: team, at: "")
        }
    }

    func check(_ team: Portal.Team, at path: String) throws(EmulatorError) {
        try checkLength(team.name, at: path + "name")
        try checkPortalID(team.id.rawValue, at: path + "id")
        for (index, source) in (team.emailSources ?? []).enumerated() {
            try check(source, at: "\(path)emailSources[\(index)].")
        }
        try check(team.apps.count, Self.maximumApps, "apps", at: path + "apps")
        for (index, app) in team.apps.enumerated() { try check(app, of: team, at: "\(path)apps[\(index)].") }
    }

    func check(_ app: Portal.App, of team: Portal.Team, at path: String) throws(EmulatorError) {
        try checkLength(app.name, at: path + "name")
        try checkIdentifier(app.id, at: path + "id")
        try check(app.keys.count, Self.maximumKeys, "keys of a primary App ID", at: path + "keys")
        for (index, key) in app.keys.enumerated() {
            try checkPortalID(key.id.rawValue, at: "\(path)keys[\(index)].id")
        }
        if let url = app.notificationURL {
            try checkLength(url, at: path + "notificationURL", Self.maximumURLLength)
            if isStrict { try checkPublic(url, at: path + "notificationURL") }
        }
        try check(app.services.count, Self.maximumServices, "services", at: path + "services")
        for (index, service) in app.services.enumerated() {
            try check(service, of: team, at: "\(path)services[\(index)].")
        }
    }

    func check(_ service: Portal.Service, of team: Portal.Team, at path: String) throws(EmulatorError) {
        try checkIdentifier(service.id, at: path + "id")
        let limit = team.individual == true ? Self.maximumReturnURLsOfIndividuals : Self.maximumReturnURLs
        try check(service.returnURLs.count, limit, "return URLs of such a team's Services ID", at: path + "returnURLs")
        try check(service.domains.count, limit, "domains of such a team's Services ID", at: path + "domains")
        for (index, url) in service.returnURLs.enumerated() {
            let place = "\(path)returnURLs[\(index)]"
            try checkLength(url, at: place, Self.maximumURLLength)
            if isStrict {
                let host = try checkPublic(url, at: place)
                guard service.domains.contains(where: { $0.lowercased() == host }) else {
                    throw Self.refused("\(host) is not among the domains of the Services ID", place)
                }
            } else {
                guard let address = WebAddress(url), address.scheme == "https" || address.isLoopback else {
                    throw Self.refused("must be https, or http to localhost or 127.0.0.1", place)
                }
            }
        }
        let verified = service.verifiedDomains ?? []
        try check(verified.count, service.domains.count, "verified domains", at: path + "verifiedDomains")
        for (index, domain) in verified.enumerated() where !service.domains.contains(domain) {
            throw Self.refused("is not among the domains of the Services ID", "\(path)verifiedDomains[\(index)]")
        }
        for (index, domain) in service.domains.enumerated() {
            try checkLength(domain, at: "\(path)domains[\(index)]")
            guard isStrict else { continue }
            guard PublicDomain.isName(domain) else {
                throw Self.refused("must be the name of a domain", "\(path)domains[\(index)]")
            }
        }
    }

    func check(_ person: Portal.Person, at path: String) throws(EmulatorError) {
        try checkLength(person.id, at: path + "id")
        let texts = [person.name, person.email, person.password ?? "", person.organizationID ?? ""]
        for text in texts + (person.otherEmails ?? []) { try checkLength(text, at: String(path.dropLast())) }
        for (place, address) in Self.addresses(of: person, at: path) where MailAddress(address) == nil {
            throw Self.refused("must be an email address", place)
        }
    }

    /// Checks that no two people share an email address.
    func checkAddresses(_ portal: Portal) throws(EmulatorError) {
        var known: Set<String> = []
        for (index, person) in portal.people.enumerated() {
            try checkAddresses(of: person, against: &known, at: "people[\(index)].")
        }
    }

    /// Checks that the addresses of one person, who was added alone, belong to nobody else.
    func checkAddresses(of person: Portal.Person, in portal: Portal) throws(EmulatorError) {
        let others = portal.people.filter { $0.id != person.id }
        var known = Set(others.flatMap(\.addresses).map { $0.lowercased() })
        try checkAddresses(of: person, against: &known, at: "")
    }

    private func checkAddresses(
        of person: Portal.Person, against known: inout Set<String>, at path: String
    ) throws(EmulatorError) {
        for (place, address) in Self.addresses(of: person, at: path) {
            guard known.insert(address.lowercased()).inserted else {
                throw Self.refused("is an address that stands twice", place)
            }
        }
    }

    /// Returns the person's addresses with their places. An account that is managed may have none.
    private static func addresses(of person: Portal.Person, at path: String) -> [(place: String, address: String)] {
        let own = person.email.isEmpty ? [] : [(path + "email", person.email)]
        return own + (person.otherEmails ?? []).enumerated().map { ("\(path)otherEmails[\($0)]", $1) }
    }

    /// Apple has App IDs that stand for many, ending in an asterisk; they cannot have Sign in with Apple.
    private func checkIdentifier(_ id: ClientID, at place: String) throws(EmulatorError) {
        guard !id.rawValue.contains("*") else { throw Self.refused("must be explicit, without asterisk", place) }
        guard id.rawValue.utf8.count <= Self.maximumTextLength else { throw Self.refused("is too long", place) }
        guard isStrict else { return }
        let parts = id.rawValue.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isIdentifierCharacter) }) else {
            throw Self.refused("must be letters, digits, hyphens and dots, as com.example.app", place)
        }
    }

    private static func isIdentifierCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "-")
    }

    private func checkPortalID(_ id: String, at place: String) throws(EmulatorError) {
        guard isStrict else { return try checkLength(id, at: place) }
        guard id.utf8.count == 10, id.allSatisfy({ $0.isASCII && ($0.isUppercase || $0.isNumber) }) else {
            throw Self.refused("must be ten capital letters and digits", place)
        }
    }

    /// Scheme, host and path: what Apple takes for return URLs and for the notification URL.
    /// - Returns: the host.
    @discardableResult
    private func checkPublic(_ url: String, at place: String) throws(EmulatorError) -> String {
        guard let address = WebAddress(url), address.scheme == "https", PublicDomain.isName(address.host),
            address.hasPath, !address.hasQuery, !address.hasFragment
        else {
            throw Self.refused("must be https, a domain name and a path, without query and fragment", place)
        }
        return address.host
    }

    private func check(_ count: Int, _ limit: Int, _ what: String, at place: String) throws(EmulatorError) {
        guard count <= limit else { throw Self.refused("there may be \(limit) \(what) at most", place) }
    }

    private func checkLength(
        _ text: String, at place: String, _ limit: Int = maximumTextLength
    ) throws(EmulatorError) {
        guard text.unicodeScalars.count <= limit else {
            throw Self.refused("a text may have \(limit) characters here", place)
        }
    }

    private static func refused(_ reason: String, _ place: String) -> EmulatorError {
        EmulatorError(.invalidPortal, reason, place: place)
    }
}

/// The names that Apple's portal accepts for a web server: names that a public DNS server could resolve.
enum PublicDomain {
    /// Two labels or more of letters, digits and hyphens (RFC 1123 §2.1). A text that a browser takes for an IP
    /// address, in whatever spelling, ends in a number and is no name (URL Standard, "ends in a number"). Names for
    /// this machine are none either, nor is one with a dot at its end.
    static func isName(_ text: some StringProtocol) -> Bool {
        let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, labels.count > 1, labels.allSatisfy(isLabel), let last = labels.last else {
            return false
        }
        return last != "localhost" && !isNumber(last)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// Decimal, octal or hexadecimal.
    private static func isNumber(_ label: Substring) -> Bool {
        label.allSatisfy(\.isNumber) || (label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit))
    }
}
