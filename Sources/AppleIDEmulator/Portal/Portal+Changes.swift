import AppleIDTypes

/// Single entries, put in and taken out while the emulator runs. ``Registry`` refuses entries that make no sense.
extension Portal {
    /// Adds a team, or changes the team with this id. A team that is there keeps its apps, and its email sources if no
    /// others are given.
    mutating func put(_ team: Team) {
        guard let index = teams.firstIndex(where: { $0.id == team.id }) else { return teams.append(team) }
        var team = team
        team.apps = teams[index].apps
        team.emailSources = team.emailSources ?? teams[index].emailSources
        teams[index] = team
    }

    /// Adds an app to a team, or changes the team's app with this id. An app that is there keeps its services and keys.
    mutating func put(_ app: App, in team: TeamID) throws(Refusal) {
        guard let team = teams.firstIndex(where: { $0.id == team }) else { throw Self.unknown(.unknownTeam, "team") }
        guard let index = teams[team].apps.firstIndex(where: { $0.id == app.id }) else {
            guard self.app(app.id) == nil else {
                throw Refusal(.conflict, "The app is another team's. Transfer it.")
            }
            return teams[team].apps.append(app)
        }
        var app = app
        app.services = teams[team].apps[index].services
        app.keys = teams[team].apps[index].keys
        teams[team].apps[index] = app
    }

    /// Adds a Services ID to a primary App ID, or replaces it there.
    mutating func put(_ service: Service, in app: ClientID) throws(Refusal) {
        try change(app) { app in
            app.services.removeAll { $0.id == service.id }
            app.services.append(service)
        }
    }

    /// Adds a key to a primary App ID, or replaces it there.
    mutating func put(_ key: Key, in app: ClientID) throws(Refusal) {
        try change(app) { app in
            app.keys.removeAll { $0.id == key.id }
            app.keys.append(key)
        }
    }

    mutating func put(_ person: Person) {
        guard let index = people.firstIndex(where: { $0.id == person.id }) else { return people.append(person) }
        people[index] = person
    }

    /// Removes a team with all its apps.
    mutating func remove(_ team: TeamID) throws(Refusal) {
        let count = teams.count
        teams.removeAll { $0.id == team }
        guard teams.count < count else { throw Self.unknown(.unknownTeam, "team") }
    }

    /// Removes an app with its services and keys. App IDs that are grouped with it stand in the way, as with Apple.
    mutating func remove(app id: ClientID) throws(Refusal) {
        guard app(id) != nil else { throw Self.unknown(.unknownApp, "app") }
        guard !teams.contains(where: { $0.apps.contains { $0.primary == id } }) else {
            throw Refusal(.groupedApp, "Other App IDs are grouped with this one. Ungroup them first.")
        }
        for index in teams.indices { teams[index].apps.removeAll { $0.id == id } }
    }

    mutating func remove(service id: ClientID) throws(Refusal) {
        guard let app = teams.flatMap(\.apps).first(where: { $0.services.contains { $0.id == id } }) else {
            throw Self.unknown(.unknownService, "service")
        }
        try change(app.id) { $0.services.removeAll { $0.id == id } }
    }

    mutating func remove(_ key: KeyID) throws(Refusal) {
        guard let app = teams.flatMap(\.apps).first(where: { $0.keys.contains { $0.id == key } }) else {
            throw Self.unknown(.unknownKey, "key")
        }
        try change(app.id) { $0.keys.removeAll { $0.id == key } }
    }

    mutating func remove(person id: String) throws(Refusal) {
        let count = people.count
        people.removeAll { $0.id == id }
        guard people.count < count else { throw Self.unknown(.unknownPerson, "person") }
    }

    func app(_ id: ClientID) -> App? { teams.flatMap(\.apps).first { $0.id == id } }

    private mutating func change(_ id: ClientID, _ body: (inout App) -> Void) throws(Refusal) {
        for team in teams.indices {
            if let index = teams[team].apps.firstIndex(where: { $0.id == id }) { return body(&teams[team].apps[index]) }
        }
        throw Self.unknown(.unknownApp, "app")
    }

    /// Changes a Services ID, and returns whether there is one with this id.
    @discardableResult
    mutating func changeService(_ id: ClientID, _ body: (inout Service) -> Void) -> Bool {
        for team in teams.indices {
            for app in teams[team].apps.indices {
                guard let index = teams[team].apps[app].services.firstIndex(where: { $0.id == id }) else { continue }
                body(&teams[team].apps[app].services[index])
                return true
            }
        }
        return false
    }

    private static func unknown(_ code: Refusal.Code, _ what: String) -> Refusal {
        Refusal(code, "The portal has no such \(what).")
    }
}

extension Portal.App {
    /// The app without its services, which have rules and calls of their own.
    var own: Self {
        var app = self
        app.services = []
        return app
    }
}

extension Portal {
    /// Moves a primary App ID with its Services IDs, gives it another key, and returns its former keys. The caller checks
    /// that the app and the team exist.
    mutating func move(_ id: ClientID, to team: TeamID, newKey: Key) -> [Key] {
        var moved: App?
        for index in teams.indices {
            moved = moved ?? teams[index].apps.first { $0.id == id }
            teams[index].apps.removeAll { $0.id == id }
        }
        guard var app = moved, let target = teams.firstIndex(where: { $0.id == team }) else { return [] }
        let keys = app.keys
        app.keys = [newKey]
        teams[target].apps.append(app)
        return keys
    }
}
