import AppleIDTypes

/// The whole state of the emulator: the portal, the behaviour, and one slice for each feature that has a state.
///
/// It knows no clock, no randomness and no I/O: these come in as values. A step that concerns several slices is an
/// extension of the state, in the folder of its feature. Refusals are ``Refusal``, which knows no HTTP.
struct EmulatorState: Sendable {
    private(set) var registry: Registry
    var behaviour = Behaviour()
    var authorizations = AuthorizationState()
    var grants = GrantTable()
    var tokens = TokenState()
    var accountSessions = AccountSessions()
    var transfers = TransferLog()
    var relay = RelayState()
    var inboxes = Inboxes()
    /// The published keys. The first one signs. There is one at least once the emulator runs.
    var signingKeys: [SigningKey] = []
    /// Counts the changes that a state file must hold.
    var revision = 0
    /// A cache of subjects, which can be computed anew.
    let subjects = SubjectIndex()

    init(registry: Registry) {
        self.registry = registry
    }

    /// Creates the state that a file holds, without the keys.
    ///
    /// - Throws: ``EmulatorError`` if a former key of a transfer is no private key.
    init(registry: Registry, saved: SavedState) throws(EmulatorError) {
        self.init(registry: registry)
        // The names of relay addresses depend on the generations, so these come first.
        for entry in saved.relayGenerations ?? [] {
            grants.relayGenerations[entry.relay.person, default: [:]][entry.relay.team] = entry.number
        }
        for entry in saved.deletedAccounts ?? [] { grants.accountGenerations[entry.person] = entry.number }
        for var grant in saved.grants {
            grant.complete(with: saved.transfers ?? [])
            grants[grant.key] = grant
        }
        relay.stopped = Set(saved.stoppedRelays ?? [])
        grants.ended = Set(saved.endedGrants ?? [])
        grants.withheldNames = Set(saved.keptNames ?? [])
        for remembered in saved.keptEmails ?? [] { grants.rememberedEmails[remembered.key] = remembered }
        transfers = try TransferLog(saved.transfers ?? [])
        for entry in saved.refreshTokens { tokens.refreshTokens.insert(entry.issued, for: entry.token, at: 0) }
    }

    /// Forgets every grant, token, code and page. Transfers stay, because the portal stays as they changed it.
    mutating func reset() {
        var fresh = EmulatorState(registry: registry)
        fresh.behaviour = behaviour
        fresh.relay.takesMailForOthers = relay.takesMailForOthers
        fresh.transfers = transfers
        fresh.signingKeys = signingKeys
        fresh.revision = revision + 1
        self = fresh
    }

    // MARK: The portal

    /// Puts a portal in the place of the present one that has the same people and clients, or more.
    mutating func setRegistry(_ registry: Registry) {
        self.registry = registry
        revision += 1
    }

    /// Puts another portal in the place of the present one, and forgets what belonged to people, apps and clients that
    /// are gone. Apps aren't notified: Apple's notifications are about what people do.
    mutating func replacePortal(with registry: Registry) {
        setRegistry(registry)
        forget { registry.person($0) == nil }
        grants.moveToPortal(of: registry)
        relay.forget(teams: { [teams = Set(registry.portal.teams.map(\.id))] in !teams.contains($0) })
        tokens.forget(clientsNotIn: registry, grantsNotIn: grants)
        authorizations.forget(clientsNotIn: registry, grantsNotIn: grants)
    }

    /// Forgets all that is known of people who have deleted their account, or whom the portal has no more. A later
    /// person with the same id begins anew.
    mutating func forget(people isGone: (String) -> Bool) {
        grants.forget(people: isGone)
        relay.forget(people: isGone)
        inboxes.removeAll(ofPeople: isGone)
        accountSessions.forget(people: isGone)
        tokens.forget(people: isGone)
        authorizations.forget(people: isGone)
        revision += 1
    }

    static let maximumDeletedAccounts = 10_000

    /// Makes the next person with this id a different person to every app. If there are very many ids, some are
    /// forgotten.
    mutating func countDeletedAccount(_ id: String) {
        if grants.accountGenerations.count >= Self.maximumDeletedAccounts, grants.accountGenerations[id] == nil {
            let dispensable = grants.accountGenerations.keys.first { registry.person($0) == nil }
            if let dispensable { grants.accountGenerations[dispensable] = nil }
        }
        grants.accountGenerations[id, default: 0] &+= 1
    }
}
