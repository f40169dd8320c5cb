import AppleIDTypes

/// Who uses which group of apps; with the relay addresses that live by it, by their names, because a mail server asks
/// for one at each recipient.
struct GrantTable: Sendable {
    private struct Use: Sendable {
        let name: String
        /// By how many apps of the team.
        var count: Int
    }

    /// By person: how often their relay address for a team became another one. It changes while the address is not in
    /// use.
    var relayGenerations: [String: [TeamID: Int]] = [:]
    /// By person: how many accounts with this id were deleted. It changes while nobody has it.
    var accountGenerations: [String: Int] = [:]
    private var grants: [Grant.Key: Grant] = [:]
    private var uses: [Relay: Use] = [:]
    private var relays: [String: Relay] = [:]

    var keys: [Grant.Key] { Array(grants.keys) }

    var values: [Grant] { Array(grants.values) }

    subscript(key: Grant.Key) -> Grant? {
        get { grants[key] }
        set {
            if let old = grants[key], old.hidesEmail { end(Relay(old)) }
            grants[key] = newValue
            if let newValue, newValue.hidesEmail { begin(Relay(newValue)) }
        }
    }

    /// - Returns: what was there.
    mutating func remove(_ key: Grant.Key) -> Grant? {
        defer { self[key] = nil }
        return self[key]
    }

    /// Whether an app of the team has the address.
    func isInUse(_ relay: Relay) -> Bool { uses[relay] != nil }

    /// The address in use that has this local part.
    func relay(named name: String) -> Relay? { relays[name] }

    private mutating func begin(_ relay: Relay) {
        if uses[relay] == nil {
            let generation = relayGenerations[relay.person]?[relay.team] ?? 0
            let name = PairwiseIdentity.relayName(
                of: relay, generation: generation, account: accountGenerations[relay.person] ?? 0)
            uses[relay] = Use(name: name, count: 0)
            relays[name] = relay
        }
        uses[relay]?.count += 1
    }

    private mutating func end(_ relay: Relay) {
        uses[relay]?.count -= 1
        guard let use = uses[relay], use.count == 0 else { return }
        uses[relay] = nil
        relays[use.name] = nil
    }
}
