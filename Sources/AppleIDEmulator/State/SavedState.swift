import AppleIDTypes

/// What a state file holds. Codes and pages under way are not in it: they live for minutes.
struct SavedState: Sendable, Codable {
    struct Key: Sendable, Codable {
        var id: KeyID
        var privateKey: String
    }

    struct RefreshToken: Sendable, Codable {
        var token: String
        var issued: IssuedRefreshToken
    }

    static let currentVersion = 1

    var version = Self.currentVersion
    var portal: Portal
    var signingKeys: [Key]
    var grants: [Grant]
    /// Absent in older files.
    var stoppedRelays: [Relay]?
    /// Absent in older files.
    var endedGrants: [Grant.Key]?
    /// Absent in older files.
    var transfers: [Transfer]?
    var refreshTokens: [RefreshToken]
}

extension SavedState {
    init(_ state: EmulatorState, signingKeys: [SigningKey]) {
        self.init(
            portal: state.registry.portal,
            signingKeys: signingKeys.map { Key(id: $0.id, privateKey: $0.pem) },
            grants: state.sortedGrants,
            stoppedRelays: state.stoppedRelays.sorted { ($0.person, $0.team.rawValue) < ($1.person, $1.team.rawValue) },
            endedGrants: state.endedGrants.sorted { ($0.person, $0.group.rawValue) < ($1.person, $1.group.rawValue) },
            transfers: state.transfers,
            refreshTokens: state.refreshTokens.all.map { RefreshToken(token: $0.key, issued: $0.value) }
        )
    }
}
