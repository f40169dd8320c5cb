import AppleIDTypes
import Crypto

/// The portal, checked and indexed: who is a client, what belongs together, and which key signs for whom.
struct Registry: Sendable {
    struct Client: Sendable {
        enum Kind: Sendable { case app, service }

        let id: ClientID
        let kind: Kind
        /// Of the app, also for its services: what people know it by.
        let name: String
        var team: TeamID
        /// The primary App ID of the group.
        let group: ClientID
        let returnURLs: [String]
    }

    struct ClientKey: Sendable {
        let publicKey: P256.Signing.PublicKey
        let team: TeamID
        let group: ClientID
    }

    private(set) var portal: Portal
    private(set) var clients: [ClientID: Client] = [:]
    private(set) var keys: [KeyID: ClientKey] = [:]
    /// By primary App ID.
    private(set) var notificationURLs: [ClientID: String] = [:]
    private var people: [String: Portal.Person] = [:]

    init(_ portal: Portal) throws(EmulatorError) {
        guard WebAddress(origin: portal.baseURL) != nil else {
            throw EmulatorError(
                .invalidConfiguration, "base URL must be http or https, a host, and no path: \(portal.baseURL)")
        }
        self.portal = portal
        var teams: Set<TeamID> = []
        for team in portal.teams {
            try Self.check(team.id.rawValue, "team")
            guard teams.insert(team.id).inserted else { throw Self.twice("team", team.id.rawValue) }
            for app in team.apps { try add(app, of: team) }
        }
        for person in portal.people {
            try Self.check(person.id, "person")
            try Self.check(person)
            guard people.updateValue(person, forKey: person.id) == nil else { throw Self.twice("person", person.id) }
        }
    }

    func person(_ id: String) -> Portal.Person? { people[id] }

    /// A portal that was good is good with a person less.
    mutating func remove(_ person: Portal.Person) {
        people[person.id] = nil
        portal.people.removeAll { $0.id == person.id }
    }

    /// Nothing in a portal depends on a password.
    mutating func setPassword(_ password: String, of person: Portal.Person) {
        people[person.id]?.password = password
        for index in portal.people.indices where portal.people[index].id == person.id {
            portal.people[index].password = password
        }
    }

    private mutating func add(_ app: Portal.App, of team: Portal.Team) throws(EmulatorError) {
        let group = app.primary ?? app.id
        if app.primary != nil {
            guard team.apps.contains(where: { $0.id == group && $0.primary == nil }) else {
                throw EmulatorError(.invalidPortal, "\(app.id) is grouped with \(group), no primary App ID of its team")
            }
            guard app.services.isEmpty, app.keys.isEmpty else {
                throw EmulatorError(.invalidPortal, "\(app.id) is not primary: services and keys belong to \(group)")
            }
            guard app.notificationURL == nil else {
                throw EmulatorError(.invalidPortal, "\(app.id) is not primary: a notification URL belongs to \(group)")
            }
        }
        if let url = app.notificationURL {
            try checkNotificationURL(url)
            notificationURLs[app.id] = url
        }
        try add(Client(id: app.id, kind: .app, name: app.name, team: team.id, group: group, returnURLs: []))
        for service in app.services {
            for url in service.returnURLs where WebAddress(url).map(\.hasFragment) != false {
                throw EmulatorError(.invalidPortal, "return URL must be absolute, http or https, without #: \(url)")
            }
            try add(
                Client(
                    id: service.id, kind: .service, name: app.name, team: team.id, group: group,
                    returnURLs: service.returnURLs))
        }
        for key in app.keys {
            try Self.check(key.id.rawValue, "key")
            let publicKey: P256.Signing.PublicKey
            do {
                publicKey = try P256.Signing.PrivateKey(pemRepresentation: key.privateKey).publicKey
            } catch {
                throw EmulatorError(.invalidPortal, "key \(key.id) is no PEM P-256 private key", cause: error)
            }
            let known = keys.updateValue(ClientKey(publicKey: publicKey, team: team.id, group: group), forKey: key.id)
            guard known == nil else { throw Self.twice("key", key.id.rawValue) }
        }
    }

    /// Apple takes absolute `https` addresses. Here `http` is let through as well for those who listen on this machine.
    private func checkNotificationURL(_ url: String) throws(EmulatorError) {
        guard let address = WebAddress(url), !address.hasFragment,
            address.scheme == "https" || address.isLoopback
                || portal.plainNotificationHosts?.contains(address.host) == true
        else {
            throw EmulatorError(
                .invalidPortal, "notification URL must be https, or http to this machine, without #: \(url)")
        }
    }

    private mutating func add(_ client: Client) throws(EmulatorError) {
        try Self.check(client.id.rawValue, "client")
        guard clients.updateValue(client, forKey: client.id) == nil else {
            throw Self.twice("client", client.id.rawValue)
        }
    }

    /// Identifiers go into hashes, headers and file names of others: printable ASCII keeps all of these unambiguous.
    private static func check(_ id: String, _ what: String) throws(EmulatorError) {
        guard !id.isEmpty, id.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw EmulatorError(.invalidPortal, "\(what) id must be printable ASCII without spaces: \(id)")
        }
    }

    private static func check(_ person: Portal.Person) throws(EmulatorError) {
        guard !person.email.isEmpty || person.isManaged else {
            throw EmulatorError(
                .invalidPortal, "\(person.id) has no email, and no organization that manages the account")
        }
        guard person.password != "" else {
            throw EmulatorError(.invalidPortal, "the password of \(person.id) is empty")
        }
        guard (person.otherEmails?.count ?? 0) <= Portal.Person.maximumOtherEmails else {
            throw EmulatorError(
                .invalidPortal, "\(person.id) has more than \(Portal.Person.maximumOtherEmails) further addresses")
        }
    }

    private static func twice(_ what: String, _ id: String) -> EmulatorError {
        EmulatorError(.invalidPortal, "\(what) id stands twice: \(id)")
    }
}
