import AppleIDTypes

/// What a refresh token stands for. It is not rotated, and belongs to the one client that obtained it.
struct IssuedRefreshToken: Hashable, Sendable, Codable {
    let client: ClientID
    let grant: Grant.Key
    let issuedAt: Int64
    /// The last refresh that counted towards a day's one; nil while nobody counts.
    var refreshedAt: Int64?
}
