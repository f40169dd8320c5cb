import AppleIDTypes

/// A person's use of an app: one for each group of apps, made at the first authorization and kept until it is revoked.
struct Grant: Hashable, Sendable, Codable {
    struct Key: Hashable, Sendable, Codable {
        let person: String
        /// The primary App ID.
        let group: ClientID
    }

    /// The name as the person wrote it.
    struct Name: Hashable, Sendable, Codable {
        let firstName: String
        let lastName: String
    }

    let key: Key
    /// The team that has the app.
    private(set) var team: TeamID
    /// The teams that transferred the app while the person used it. Nil in older files: see ``TransferLog``.
    private var formerTeams: Set<TeamID>?
    /// The granted scopes: those of the first authorization, and later ones only by ``Behaviour/asksForNewScopes``.
    /// Apple promises nothing about scopes that an app requests later, and people report that nobody is asked for them.
    private(set) var scopes: Set<Scope> = []
    private(set) var hidesEmail = false
    /// The address of the person that the app got. Nil for the account's own, as in older files.
    private(set) var sharedEmail: String?
    /// Nil if no app of the group asked for it.
    private(set) var name: Name?
    let firstAuthorizedAt: Int64
    /// The App IDs of the group that the person has signed in to. Nil, as in older files, means the primary App ID.
    private var apps: [ClientID]?

    init(key: Key, team: TeamID, firstAuthorizedAt: Int64) {
        self.key = key
        self.team = team
        self.firstAuthorizedAt = firstAuthorizedAt
        apps = []
        formerTeams = []
    }

    /// Sets the team that has the app in the portal.
    mutating func assign(to team: TeamID) { self.team = team }

    /// Moves the grant with its app to another team.
    mutating func transfer(with transfer: Transfer) {
        formerTeams = (formerTeams ?? []).union([transfer.from])
        team = transfer.to
    }

    /// Fills in what an older file doesn't say. If transfers happened in the same second, it isn't known.
    mutating func complete(with transfers: [Transfer]) {
        guard formerTeams == nil else { return }
        let moves = transfers.filter { $0.app == key.group && firstAuthorizedAt <= $0.acceptedAt }
        formerTeams = Set(moves.map(\.from))
    }

    /// Whether the grant moved along when this team transferred the app.
    func wasTransferred(from team: TeamID) -> Bool { formerTeams?.contains(team) ?? false }

    /// Records that the person signs in to an App ID of the group.
    /// - Returns: whether this is the first time with this App ID.
    mutating func recordApp(_ app: ClientID) -> Bool {
        var apps = apps ?? [key.group]
        defer { self.apps = apps }
        guard !apps.contains(app) else { return false }
        apps.append(app)
        return true
    }

    /// Adds scopes that the person has agreed to, with their values.
    mutating func add(_ new: Set<Scope>, _ consent: Consent) {
        scopes.formUnion(new)
        if new.contains(.name) { name = Name(firstName: consent.firstName, lastName: consent.lastName) }
        if new.contains(.email) {
            hidesEmail = consent.hidesEmail
            sharedEmail = consent.hidesEmail ? nil : consent.sharedEmail
        }
    }
}

/// The grants of all people, and an index of the relay addresses in use. The mail server looks an address up for each
/// recipient.
struct GrantTable: Sendable {
    private struct Use: Sendable {
        let name: String
        /// The number of apps of the team that have the address.
        var count: Int
    }

    /// The number of changes of each person's relay address for a team. Change it only while the address is not in use.
    var relayGenerations: [String: [TeamID: Int]] = [:]
    /// The number of deleted accounts with each person's id. Change it only while nobody has the id.
    var accountGenerations: [String: Int] = [:]
    /// Consents that ended. A device tells an ended consent from one that was never given.
    var ended: Set<Grant.Key> = []
    /// Consents that ended by a revocation while names didn't come again: see ``Behaviour/revocationKeepsName``.
    var withheldNames: Set<Grant.Key> = []
    /// The addresses of consents that ended while people weren't asked again: see
    /// ``Behaviour/stopUsingKeepsEmailChoice``.
    var rememberedEmails: [Grant.Key: RememberedEmail] = [:]
    private var grants: [Grant.Key: Grant] = [:]
    private var uses: [RelayMailbox: Use] = [:]
    private var relays: [String: RelayMailbox] = [:]

    var keys: [Grant.Key] { Array(grants.keys) }

    var values: [Grant] { Array(grants.values) }

    subscript(key: Grant.Key) -> Grant? {
        get { grants[key] }
        set {
            if let old = grants[key], old.hidesEmail { end(RelayMailbox(old)) }
            grants[key] = newValue
            if let newValue, newValue.hidesEmail { begin(RelayMailbox(newValue)) }
        }
    }

    /// All grants, by person and then by app.
    var sorted: [Grant] {
        values.sorted { ($0.key.person, $0.key.group.rawValue) < ($1.key.person, $1.key.group.rawValue) }
    }

    mutating func forget(people isGone: (String) -> Bool) {
        for key in keys where isGone(key.person) { self[key] = nil }
        ended = ended.filter { !isGone($0.person) }
        withheldNames = withheldNames.filter { !isGone($0.person) }
        rememberedEmails = rememberedEmails.filter { !isGone($0.key.person) }
        relayGenerations = relayGenerations.filter { !isGone($0.key) }
    }

    /// Follows the apps of another portal: to their teams, or out of the table.
    mutating func moveToPortal(of registry: Registry) {
        // A consent belongs to the primary App ID. One that has become secondary has no consents of its own any more.
        let isStillThere = { (key: Grant.Key) -> Bool in
            guard let client = registry.clients[key.group] else { return false }
            return client.kind == .app && client.group == key.group
        }
        for key in keys {
            guard isStillThere(key), let team = registry.clients[key.group]?.team else {
                self[key] = nil
                continue
            }
            self[key]?.assign(to: team)
        }
        ended = ended.filter(isStillThere)
        withheldNames = withheldNames.filter(isStillThere)
        rememberedEmails = rememberedEmails.filter { isStillThere($0.key) }
    }

    /// Removes a grant and returns it.
    mutating func remove(_ key: Grant.Key) -> Grant? {
        defer { self[key] = nil }
        return self[key]
    }

    /// Whether an app of the team has the address.
    func isInUse(_ relay: RelayMailbox) -> Bool { uses[relay] != nil }

    /// The address in use that has this local part.
    func relay(named name: String) -> RelayMailbox? { relays[name] }

    private mutating func begin(_ relay: RelayMailbox) {
        if uses[relay] == nil {
            let generation = relayGenerations[relay.person]?[relay.team] ?? 0
            let name = PairwiseIdentity.relayName(
                of: relay, generation: generation, account: accountGenerations[relay.person] ?? 0)
            uses[relay] = Use(name: name, count: 0)
            relays[name] = relay
        }
        uses[relay]?.count += 1
    }

    private mutating func end(_ relay: RelayMailbox) {
        uses[relay]?.count -= 1
        guard let use = uses[relay], use.count == 0 else { return }
        uses[relay] = nil
        relays[use.name] = nil
    }
}

/// A person's address at the relay, as one team knows it. Forwarding is switched for the whole team: it has one
/// address.
struct RelayMailbox: Hashable, Sendable, Codable {
    let person: String
    let team: TeamID

    init(person: String, team: TeamID) {
        self.person = person
        self.team = team
    }

    init(_ grant: Grant) {
        self.init(person: grant.key.person, team: grant.team)
    }
}
