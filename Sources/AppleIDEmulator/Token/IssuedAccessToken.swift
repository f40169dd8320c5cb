import AppleIDTypes

/// What an access token stands for. Apple has no use for a person's but to be revoked and to call for a migration.
struct IssuedAccessToken: Sendable, Codable {
    static let lifetime: Int64 = 3_600

    /// A person's sign-in, as it goes on from one refresh to the next.
    struct Session: Sendable, Hashable, Codable {
        let grant: Grant.Key
        let refreshToken: String
    }

    let client: ClientID
    /// The client's, when it was issued.
    let team: TeamID
    /// Nil for one that the client got for itself, with `client_credentials`.
    let session: Session?
}
