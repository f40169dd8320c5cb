import AppleIDTypes

/// That a person uses an app: one for each group of apps, made at the first authorization and kept until it is revoked.
struct Grant: Hashable, Sendable, Codable {
    struct Key: Hashable, Sendable, Codable {
        let person: String
        /// The primary App ID.
        let group: ClientID
    }

    /// As the person wrote it.
    struct Name: Hashable, Sendable, Codable {
        let firstName: String
        let lastName: String
    }

    let key: Key
    /// Changes when the app goes to another team, or is put there.
    private(set) var team: TeamID
    /// Those that transferred the app while the person used it; nil, as in older files: see ``TransferLog``.
    private var formerTeams: Set<TeamID>?
    /// What was asked for the first time. What is asked for later is neither shown nor granted: Apple promises nothing
    /// about it, and people report that it does not come. A quirk has it otherwise.
    private(set) var scopes: Set<Scope> = []
    private(set) var hidesEmail = false
    /// Which of the person's addresses the app got; nil, as in older files: the account's own.
    private(set) var sharedEmail: String?
    /// Nil when it was not asked for.
    private(set) var name: Name?
    let firstAuthorizedAt: Int64
    /// The App IDs of the group that have met the person; nil, as in older files: the primary one.
    private var apps: [ClientID]?

    init(key: Key, team: TeamID, firstAuthorizedAt: Int64) {
        self.key = key
        self.team = team
        self.firstAuthorizedAt = firstAuthorizedAt
        apps = []
        formerTeams = []
    }

    /// The portal has the app with this team.
    mutating func put(with team: TeamID) { self.team = team }

    /// The app goes to another team, and takes the person along.
    mutating func go(with transfer: Transfer) {
        formerTeams = (formerTeams ?? []).union([transfer.from])
        team = transfer.to
    }

    /// What an older file does not tell: of transfers in the same second it is not known.
    mutating func complete(with transfers: [Transfer]) {
        guard formerTeams == nil else { return }
        let moves = transfers.filter { $0.app == key.group && firstAuthorizedAt <= $0.acceptedAt }
        formerTeams = Set(moves.map(\.from))
    }

    /// Whether it went along with the app when this team gave it away.
    func went(from team: TeamID) -> Bool { formerTeams?.contains(team) ?? false }

    /// - Returns: whether this App ID of the group has not met the person before.
    mutating func meet(_ app: ClientID) -> Bool {
        var apps = apps ?? [key.group]
        defer { self.apps = apps }
        guard !apps.contains(app) else { return false }
        apps.append(app)
        return true
    }

    /// The person agreed to hand over more.
    mutating func add(_ new: Set<Scope>, _ consent: Consent) {
        scopes.formUnion(new)
        if new.contains(.name) { name = Name(firstName: consent.firstName, lastName: consent.lastName) }
        if new.contains(.email) {
            hidesEmail = consent.hidesEmail
            sharedEmail = consent.hidesEmail ? nil : consent.sharedEmail
        }
    }
}
