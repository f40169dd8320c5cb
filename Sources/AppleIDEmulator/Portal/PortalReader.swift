import AppleIDTypes
import StrictJSON

/// Turns JSON from outside into parts of a portal. Unknown members are refused, so that a misspelt one is noticed.
///
/// It looks at shapes only; ``Registry`` and ``PortalRules`` check what the parts mean together.
struct PortalReader {
    var environment = EmulatorEnvironment.live

    /// A whole portal. Its addresses are accepted, because the control call shows them, and not used: the configuration
    /// has them.
    func portal(_ root: JSONValue) throws(Refusal) -> Portal {
        var members = try Members(root, path: "")
        let baseURL = try members.string("baseURL") ?? EmulatorConfiguration().baseURL
        let issuer = try members.string("issuer") ?? EmulatorConfiguration().issuer
        let hosts = try members.strings("plainNotificationHosts")
        var teams: [Portal.Team] = []
        for var team in try members.objects("teams") { teams.append(try self.team(&team)) }
        var people: [Portal.Person] = []
        for var person in try members.objects("people") { people.append(try self.person(&person)) }
        try members.checkAllWereRead()
        return Portal(baseURL: baseURL, issuer: issuer, teams: teams, people: people, plainNotificationHosts: hosts)
    }

    func team(_ members: inout Members) throws(Refusal) -> Portal.Team {
        var team = Portal.Team(id: TeamID(try members.required("id")), name: "", apps: [])
        team.name = try members.string("name") ?? team.id.rawValue
        team.individual = try members.bool("individual")
        for var app in try members.objects("apps") { team.apps.append(try self.app(&app)) }
        for var source in try members.objects("emailSources") {
            team.emailSources = (team.emailSources ?? []) + [try emailSource(&source)]
        }
        try members.checkAllWereRead()
        return team
    }

    func app(_ members: inout Members) throws(Refusal) -> Portal.App {
        let id = ClientID(try members.required("id"))
        var app = Portal.App(id: id, name: try members.string("name") ?? id.rawValue)
        app.primary = try members.string("primary").map { ClientID($0) }
        app.notificationURL = try members.string("notificationURL")
        for var service in try members.objects("services") { app.services.append(try self.service(&service)) }
        for var key in try members.objects("keys") { app.keys.append(try self.key(&key)) }
        try members.checkAllWereRead()
        return app
    }

    func service(_ members: inout Members) throws(Refusal) -> Portal.Service {
        let service = Portal.Service(
            id: ClientID(try members.required("id")), domains: try members.strings("domains") ?? [],
            returnURLs: try members.strings("returnURLs") ?? [],
            verifiedDomains: try members.strings("verifiedDomains"))
        try members.checkAllWereRead()
        return service
    }

    /// Reads a key. If the private key is missing, the emulator makes one; it is in the portal then.
    func key(_ members: inout Members) throws(Refusal) -> Portal.Key {
        let id = KeyID(try members.string("id") ?? Randomness(environment).portalID())
        let privateKey = try members.string("privateKey")
        try members.checkAllWereRead()
        return privateKey.map { Portal.Key(id: id, privateKey: $0) } ?? .generated(id: id)
    }

    func person(_ members: inout Members) throws(Refusal) -> Portal.Person {
        let id = try members.required("id")
        var person = Portal.Person(id: id, email: try members.string("email") ?? "", name: "")
        person.name = try members.string("name") ?? id
        person.otherEmails = try members.strings("otherEmails")
        person.password = try members.string("password")
        person.twoFactor = try members.bool("twoFactor")
        person.organizationID = try members.string("organizationID")
        person.emailVerified = try members.bool("emailVerified")
        person.child = try members.bool("child")
        if let name = try members.string("relayDomain") {
            guard let domain = Portal.RelayDomain(rawValue: name) else {
                let names = Portal.RelayDomain.allCases.map(\.rawValue).joined(separator: ", ")
                throw Members.refused(members.path + "relayDomain", "must be one of \(names)")
            }
            person.relayDomain = domain
        }
        try members.checkAllWereRead()
        return person
    }
}
