import AppleIDTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The content of a state file. The properties' names are the keys in the file, so they never change. Codes and pages
/// under way are not in it: they live for minutes.
struct SavedState: Sendable, Codable {
    struct Key: Sendable, Codable {
        var id: KeyID
        var privateKey: String
    }

    struct RefreshToken: Sendable, Codable {
        var token: String
        var issued: IssuedRefreshToken
    }

    struct RelayGeneration: Sendable, Codable {
        var relay: RelayMailbox
        var number: Int
    }

    struct DeletedAccount: Sendable, Codable {
        var person: String
        /// The number of accounts with this id that were deleted.
        var number: Int
    }

    static let currentVersion = 1
    /// The largest size of the JSON, written or read, here and in a snapshot. A saved state can be loaded.
    static let maximumBytes = 64 * 1024 * 1024

    var version = Self.currentVersion
    var portal: Portal
    var signingKeys: [Key]
    var grants: [Grant]
    /// The relay addresses without forwarding. Absent in older files.
    var stoppedRelays: [RelayMailbox]?
    /// The consents that ended. Absent in older files.
    var endedGrants: [Grant.Key]?
    /// The ended consents whose names don't come again (``GrantTable/withheldNames``). Absent in older files.
    var keptNames: [Grant.Key]?
    /// The number of changes of each relay address. Absent in older files.
    var relayGenerations: [RelayGeneration]?
    /// The number of deleted accounts with each id. Absent in older files.
    var deletedAccounts: [DeletedAccount]?
    /// The addresses of ended consents (``GrantTable/rememberedEmails``). Absent in older files.
    var keptEmails: [RememberedEmail]?
    /// The apps that went to another team. Absent in older files.
    var transfers: [Transfer]?
    var refreshTokens: [RefreshToken]
}

extension SavedState {
    init(_ state: EmulatorState, signingKeys: [SigningKey]) {
        self.init(
            portal: state.registry.portal,
            signingKeys: signingKeys.map { Key(id: $0.id, privateKey: $0.pem) },
            grants: state.grants.sorted,
            stoppedRelays: state.relay.stopped.sorted { ($0.person, $0.team.rawValue) < ($1.person, $1.team.rawValue) },
            endedGrants: Self.sorted(state.grants.ended), keptNames: Self.sorted(state.grants.withheldNames),
            relayGenerations: Self.sorted(state.grants.relayGenerations),
            deletedAccounts: state.grants.accountGenerations.map { DeletedAccount(person: $0.key, number: $0.value) }
                .sorted { $0.person < $1.person },
            keptEmails: state.grants.rememberedEmails.values.sorted {
                ($0.key.person, $0.key.group.rawValue) < ($1.key.person, $1.key.group.rawValue)
            },
            transfers: state.transfers.all,
            refreshTokens: state.tokens.refreshTokens.all.map { RefreshToken(token: $0.key, issued: $0.value) }
        )
    }

    /// Whether all times lie in the years that dates can be written in. A sum with another number could overflow.
    var hasGoodTimes: Bool {
        var times = grants.map(\.firstAuthorizedAt) + (transfers ?? []).map(\.acceptedAt)
        for token in refreshTokens { times += [token.issued.issuedAt, token.issued.refreshedAt ?? 0] }
        return times.allSatisfy(Self.isGoodTime)
    }

    /// - Parameter time: in seconds since 1970.
    static func isGoodTime(_ time: Int64) -> Bool { EmulatorClock.seconds.contains(time) }

    private static func sorted(_ keys: Set<Grant.Key>) -> [Grant.Key] {
        keys.sorted { ($0.person, $0.group.rawValue) < ($1.person, $1.group.rawValue) }
    }

    private static func sorted(_ generations: [String: [TeamID: Int]]) -> [RelayGeneration] {
        generations.flatMap { person, teams in
            teams.map { RelayGeneration(relay: RelayMailbox(person: person, team: $0), number: $1) }
        }.sorted { ($0.relay.person, $0.relay.team.rawValue) < ($1.relay.person, $1.relay.team.rawValue) }
    }

    /// Saved states and snapshots as text, without the spaces and breaks that would only fill it up.
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}
