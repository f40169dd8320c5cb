import AppleIDTypes

/// Everything the emulator knows, and every step it takes. No clock, no randomness, no I/O: all that comes in as
/// values.
struct EmulatorState: Sendable {
    private(set) var registry: Registry
    var grants = GrantTable()
    /// Where people stopped the forwarding of mail. It outlives the grant: the address is the team's.
    var stoppedRelays: Set<Relay> = []
    /// Of people who used an app and do no longer: to a device that is another thing than never.
    var endedGrants: Set<Grant.Key> = []
    /// Kept twice as long as they live, so that "expired" and "never heard of" can be told apart.
    var codes = ExpiringTable<IssuedCode>(lifetime: 2 * IssuedCode.lifetime, capacity: 20_000)
    var pending = ExpiringTable<PendingAuthorization>(
        lifetime: PendingAuthorization.lifetime, capacity: 1_000)
    /// Not in the state file: who restarts the emulator signs in again.
    var accountSessions = ExpiringTable<AccountSession>(lifetime: AccountSession.lifetime, capacity: 1_000)
    /// Apple's never expire by age; here the oldest of very many gives way.
    var refreshTokens = ExpiringTable<IssuedRefreshToken>(lifetime: nil, capacity: 10_000)
    /// Not in the state file: they live for an hour.
    var accessTokens = ExpiringTable<IssuedAccessToken>(lifetime: IssuedAccessToken.lifetime, capacity: 20_000)
    var transfers = TransferLog()
    var quirks: Set<EmulatorConfiguration.Quirk> = [] {
        didSet { registry.relayDomain = Portal.RelayDomain(quirks) }
    }
    /// Consents that ended while the quirk was on that keeps their name from coming again.
    var keptNames: Set<Grant.Key> = []
    /// Of consents that ended while the quirk was on that keeps the choice of an address.
    var keptEmails: [Grant.Key: KeptEmail] = [:]
    /// How often a person's relay address for a team became another one.
    var relayGenerations: [String: [TeamID: Int]] {
        get { grants.relayGenerations }
        set {
            grants.relayGenerations = newValue
            registry.relayGenerations = newValue
        }
    }
    /// How many accounts with an id were deleted: no subject and no relay address ever comes back.
    private(set) var accountGenerations: [String: Int] {
        get { grants.accountGenerations }
        set {
            grants.accountGenerations = newValue
            registry.accountGenerations = newValue
        }
    }
    /// Not in the state file.
    var inboxes = Inboxes()
    /// Those of other days may be among them.
    var relayCounts: [Relay: RelayCount] = [:]
    /// The first one signs; all are published. Never empty once the emulator runs.
    var signingKeys: [SigningKey] = []
    /// Counts the changes that a state file must hold.
    var revision = 0

    init(registry: Registry) {
        self.registry = registry
        self.registry.relayGenerations = [:]
        self.registry.accountGenerations = [:]
    }

    /// Goes on from what a file holds, but for the keys.
    ///
    /// - Throws: ``EmulatorError`` for what cannot be used.
    init(registry: Registry, saved: SavedState) throws(EmulatorError) {
        self.init(registry: registry)
        for entry in saved.relayGenerations ?? [] {
            relayGenerations[entry.relay.person, default: [:]][entry.relay.team] = entry.number
        }
        for entry in saved.deletedAccounts ?? [] { accountGenerations[entry.person] = entry.number }
        for var grant in saved.grants {
            grant.complete(with: saved.transfers ?? [])
            grants[grant.key] = grant
        }
        stoppedRelays = Set(saved.stoppedRelays ?? [])
        endedGrants = Set(saved.endedGrants ?? [])
        keptNames = Set(saved.keptNames ?? [])
        for kept in saved.keptEmails ?? [] { keptEmails[kept.key] = kept }
        transfers = try TransferLog(saved.transfers ?? [])
        for entry in saved.refreshTokens { refreshTokens.insert(entry.issued, for: entry.token, at: 0) }
    }

    mutating func replace(_ registry: Registry) {
        self.registry = registry
        self.registry.relayDomain = Portal.RelayDomain(quirks)
        self.registry.relayGenerations = relayGenerations
        self.registry.accountGenerations = accountGenerations
        revision += 1
    }

    static let maximumDeletedAccounts = 10_000

    /// Whoever gets this id next is somebody else to every app. Of very many ids some are forgotten.
    mutating func countDeletedAccount(_ id: String) {
        if accountGenerations.count >= Self.maximumDeletedAccounts, accountGenerations[id] == nil {
            let dispensable = accountGenerations.keys.first { registry.person($0) == nil }
            if let dispensable { accountGenerations[dispensable] = nil }
        }
        accountGenerations[id, default: 0] &+= 1
    }

    /// Forgets every grant, token, code and page. Transfers stay, as the portal does that they changed.
    mutating func reset() {
        var fresh = EmulatorState(registry: registry)
        fresh.quirks = quirks
        fresh.transfers = transfers
        fresh.signingKeys = signingKeys
        fresh.revision = revision + 1
        self = fresh
    }

    // MARK: The sheet

    mutating func begin(_ request: AuthorizationRequest, id: String, at now: Int64) {
        pending.insert(PendingAuthorization(request: request), for: id, at: now)
    }

    func pendingRequest(_ id: String, at now: Int64) throws(Refusal) -> AuthorizationRequest {
        guard let found = pending.value(id, at: now) else {
            throw Refusal(
                .invalidRequest, "This sign-in was finished already or is too old. Go back to the app and begin again.")
        }
        return found.request
    }

    /// A sheet is answered once.
    mutating func takePending(_ id: String, at now: Int64) throws(Refusal) -> AuthorizationRequest {
        let request = try pendingRequest(id, at: now)
        pending.remove(id)
        return request
    }
}
