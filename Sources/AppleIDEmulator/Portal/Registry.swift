import AppleIDTypes
import Crypto

/// The portal, checked and indexed: its clients, their groups, and their keys.
struct Registry: Sendable {
    struct Client: Sendable {
        enum Kind: Sendable { case app, service }

        let id: ClientID
        let kind: Kind
        /// The name of the app, also for its services: people know the client by it.
        let name: String
        var team: TeamID
        /// The primary App ID of the group.
        let group: ClientID
        let returnURLs: [String]
        /// Lowercase.
        var verifiedDomains: Set<String> = []
    }

    struct ClientKey: Sendable {
        let publicKey: P256.Signing.PublicKey
        let team: TeamID
        let group: ClientID
    }

    private(set) var portal: Portal
    private(set) var clients: [ClientID: Client] = [:]
    private(set) var keys: [KeyID: ClientKey] = [:]
    /// The notification URLs by primary App ID.
    private(set) var notificationURLs: [ClientID: String] = [:]
    private var people: [String: Portal.Person] = [:]
    /// The ids of people by the keys of their own addresses. If several people have an address, it leads to the first one in
    /// the portal.
    private var owners: [String: String] = [:]

    init(_ portal: Portal) throws(EmulatorError) {
        guard WebAddress(origin: portal.baseURL) != nil else {
            throw EmulatorError(
                .invalidConfiguration, "base URL must be http or https, a host, and no path: \(portal.baseURL)")
        }
        self.portal = portal
        var teams: Set<TeamID> = []
        for (index, team) in portal.teams.enumerated() {
            let path = "teams[\(index)]."
            try Self.check(team.id.rawValue, "team", path)
            guard teams.insert(team.id).inserted else { throw Self.twice("team", team.id.rawValue, path) }
            for (index, app) in team.apps.enumerated() { try add(app, of: team, "\(path)apps[\(index)].") }
            try Self.checkEmailSources(of: team, portal, path)
        }
        for (index, person) in portal.people.enumerated() {
            let path = "people[\(index)]."
            try Self.check(person.id, "person", path)
            try Self.check(person, path)
            guard people.updateValue(person, forKey: person.id) == nil else {
                throw Self.twice("person", person.id, path)
            }
        }
        owners = Self.owners(of: portal)
    }

    private static func owners(of portal: Portal) -> [String: String] {
        let addresses = portal.people.flatMap { person in person.addresses.map { ($0.lowercased(), person.id) } }
        return Dictionary(addresses) { first, _ in first }
    }

    /// The id of the person whose own address it is.
    func owner(of address: MailAddress) -> String? { owners[address.key] }

    /// The client that a request names.
    func client(_ id: ClientID) throws(Refusal) -> Client {
        guard let client = clients[id] else { throw Refusal(.invalidClient, "No client has this client_id.") }
        return client
    }

    /// The portal's entry of a person. ``EmulatorState`` completes it with what people did.
    func person(_ id: String) -> Portal.Person? { people[id] }

    /// Removes a person. A valid portal stays valid without them.
    mutating func remove(_ person: Portal.Person) {
        people[person.id] = nil
        portal.people.removeAll { $0.id == person.id }
        owners = Self.owners(of: portal)
    }

    /// Sets a password. A valid portal stays valid, because nothing else depends on a password.
    mutating func setPassword(_ password: String, of person: Portal.Person) {
        people[person.id]?.password = password
        for index in portal.people.indices where portal.people[index].id == person.id {
            portal.people[index].password = password
        }
    }

    /// - Parameter path: of its members in a file.
    private mutating func add(_ app: Portal.App, of team: Portal.Team, _ path: String) throws(EmulatorError) {
        let group = app.primary ?? app.id
        if app.primary != nil {
            guard team.apps.contains(where: { $0.id == group && $0.primary == nil }) else {
                throw Self.refused(
                    "\(app.id) is grouped with \(group), no primary App ID of its team", path + "primary")
            }
            guard app.services.isEmpty, app.keys.isEmpty else {
                throw Self.refused(
                    "\(app.id) is not primary: services and keys belong to \(group)",
                    path + (app.services.isEmpty ? "keys" : "services"))
            }
            guard app.notificationURL == nil else {
                throw Self.refused(
                    "\(app.id) is not primary: a notification URL belongs to \(group)", path + "notificationURL")
            }
        }
        if let url = app.notificationURL {
            try checkNotificationURL(url, path + "notificationURL")
            notificationURLs[app.id] = url
        }
        try add(Client(id: app.id, kind: .app, name: app.name, team: team.id, group: group, returnURLs: []), path)
        for (index, service) in app.services.enumerated() {
            let path = "\(path)services[\(index)]."
            for (index, url) in service.returnURLs.enumerated() where WebAddress(url).map(\.hasFragment) != false {
                throw Self.refused(
                    "return URL must be absolute, http or https, without #: \(url)", "\(path)returnURLs[\(index)]")
            }
            try add(
                Client(
                    id: service.id, kind: .service, name: app.name, team: team.id, group: group,
                    returnURLs: service.returnURLs,
                    verifiedDomains: Set((service.verifiedDomains ?? []).map { $0.lowercased() })), path)
        }
        for (index, key) in app.keys.enumerated() {
            try add(key, ofTeam: team.id, group: group, "\(path)keys[\(index)].")
        }
    }

    private mutating func add(
        _ key: Portal.Key, ofTeam team: TeamID, group: ClientID, _ path: String
    ) throws(EmulatorError) {
        try Self.check(key.id.rawValue, "key", path)
        let publicKey: P256.Signing.PublicKey
        do {
            publicKey = try P256.Signing.PrivateKey(pemRepresentation: key.privateKey).publicKey
        } catch {
            throw EmulatorError(
                .invalidPortal, "key \(key.id) is no PEM P-256 private key", cause: error, place: path + "privateKey")
        }
        let known = keys.updateValue(ClientKey(publicKey: publicKey, team: team, group: group), forKey: key.id)
        guard known == nil else { throw Self.twice("key", key.id.rawValue, path) }
    }

    /// Apple takes absolute `https` addresses. Here `http` is let through as well for those who listen on this machine.
    private func checkNotificationURL(_ url: String, _ place: String) throws(EmulatorError) {
        guard let address = WebAddress(url), !address.hasFragment, portal.allowsCalls(to: address) else {
            throw Self.refused("notification URL must be https, or http to this machine, without #: \(url)", place)
        }
    }

    private mutating func add(_ client: Client, _ path: String) throws(EmulatorError) {
        try Self.check(client.id.rawValue, "client", path)
        guard clients.updateValue(client, forKey: client.id) == nil else {
            throw Self.twice("client", client.id.rawValue, path)
        }
    }

    /// Identifiers go into hashes, headers and file names of others: printable ASCII keeps all of these unambiguous.
    private static func check(_ id: String, _ what: String, _ path: String) throws(EmulatorError) {
        guard !id.isEmpty, id.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw refused("\(what) id must be printable ASCII without spaces: \(id)", path + "id")
        }
    }

    private static func check(_ person: Portal.Person, _ path: String) throws(EmulatorError) {
        guard !person.email.isEmpty || person.isManaged else {
            throw refused("\(person.id) has no email, and no organization that manages the account", path + "email")
        }
        guard person.password != "" else {
            throw refused("the password of \(person.id) is empty", path + "password")
        }
        guard (person.otherEmails?.count ?? 0) <= Portal.Person.maximumOtherEmails else {
            throw refused(
                "\(person.id) has more than \(Portal.Person.maximumOtherEmails) further addresses",
                path + "otherEmails")
        }
    }

    private static func twice(_ what: String, _ id: String, _ path: String) -> EmulatorError {
        refused("\(what) id stands twice: \(id)", path + "id")
    }

    private static func refused(_ reason: String, _ place: String) -> EmulatorError {
        EmulatorError(.invalidPortal, reason, place: place)
    }
}

/// The people of the portal, as apps see them now.
extension EmulatorState {
    /// The person with this id, as apps see them now; nil if the portal has none.
    func findPerson(_ id: String) -> Portal.Person? { registry.person(id).map(complete) }

    /// The person that a request names.
    func person(_ id: String?) throws(Refusal) -> Portal.Person {
        guard let id else { throw Refusal(.invalidRequest, "person is missing.") }
        guard let person = findPerson(id) else { throw Refusal(.unknownPerson, "No person has this id.") }
        return person
    }

    /// All people, in the portal's order, as apps see them now.
    var everybody: [Portal.Person] { registry.portal.people.map(complete) }

    /// Adds what the portal doesn't say: which relay address the person has now, and how many accounts had their id before.
    private func complete(_ person: Portal.Person) -> Portal.Person {
        var person = person
        person.relayDomain = person.relayDomain ?? behaviour.relayDomain
        person.relayGenerations = grants.relayGenerations[person.id] ?? [:]
        person.accountGeneration = grants.accountGenerations[person.id] ?? 0
        return person
    }
}

extension EmulatorCore {
    func person(_ id: String?) throws(Refusal) -> Portal.Person {
        try current.person(id)
    }
}
