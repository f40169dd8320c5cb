/// What Apple is asked for, as metrics, spans and logs name it.
enum AppleCall: String, Sendable {
    case exchange
    case refresh
    case revocation
    case migrationToken = "migration_token"
    /// Both sides of a transfer.
    case migration
    case keys

    /// Whether asking twice does no more than asking once. A code is spent by the first request, even by one whose
    /// answer is lost. For the key set the cache decides when it is asked for again.
    var isRepeatable: Bool {
        switch self {
        case .refresh, .revocation, .migrationToken, .migration: true
        case .exchange, .keys: false
        }
    }
}
