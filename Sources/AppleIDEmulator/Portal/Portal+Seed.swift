import AppleIDTypes

extension Portal {
    /// The Services ID and the App ID of the seeded portal.
    static let seededService: ClientID = "com.example.juice.web"
    static let seededApp: ClientID = "com.example.juice"

    /// Makes the portal of an emulator that gets none: one team, one app, one service, one new key, and
    /// people.
    public static func seeded(
        configuration: EmulatorConfiguration = .init(), environment: EmulatorEnvironment = .live
    ) -> Self {
        let domains = Set(configuration.returnURLs.compactMap { WebAddress($0)?.host })
        let service = Service(
            id: seededService, domains: domains.sorted(), returnURLs: configuration.returnURLs)
        let key = Key.generated(id: KeyID(Randomness(environment).portalID()))
        let app = App(
            id: seededApp, name: "Juice", services: [service], keys: [key],
            notificationURL: configuration.notificationURL)
        return Self(
            baseURL: configuration.baseURL,
            issuer: configuration.issuer,
            teams: [Team(id: "JUICETEAM1", name: "Juice Makers", apps: [app])],
            people: seededPeople
        )
    }

    /// Names, addresses and accounts of several kinds, because forms and databases meet them all.
    private static let seededPeople = [
        Person(id: "johnny", email: "johnny@example.com", name: "Johnny Appleseed"),
        Person(id: "zoe", email: "zoe.oezdemir@example.org", name: "Zoë Özdemir-Łukasik"),
        Person(
            id: "dafni", email: "dafni@example.net", name: "Δάφνη Παπαδοπούλου",
            otherEmails: ["papadopoulou@example.org"]),
        Person(
            id: "maximiliana",
            email: "maximiliana.theodora.von.hohenfels-lindenau@post.example.com",
            name: "Maximiliana Theodora Konstantina von Hohenfels-Lindenau"
        ),
        Person(
            id: "ida", email: "ida.lindqvist@school.example.edu", name: "Ida Lindqvist",
            organizationID: "school.example.edu", emailVerified: false),
        Person(id: "otto", email: "otto@example.org", name: "Otto Keller", twoFactor: false),
    ]

    /// Adds a return URL to a Services ID unless it has the URL already. Returns whether there is such a Services ID.
    @discardableResult
    mutating func register(returnURL: String, for id: ClientID) -> Bool {
        changeService(id) { service in
            if !service.returnURLs.contains(returnURL) { service.returnURLs.append(returnURL) }
        }
    }

    /// Sets the notification URL of a primary App ID, or removes it with nil. Returns whether there is such an App ID.
    @discardableResult
    mutating func register(notificationURL: String?, for id: ClientID) -> Bool {
        for team in teams.indices {
            for app in teams[team].apps.indices
            where teams[team].apps[app].id == id && teams[team].apps[app].primary == nil {
                teams[team].apps[app].notificationURL = notificationURL
                return true
            }
        }
        return false
    }
}
