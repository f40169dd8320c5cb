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
    /// Changes when the app goes to another team.
    var team: TeamID
    /// What was asked for the first time. What is asked for later is neither shown nor granted: Apple promises nothing
    /// about it, and people report that it does not come.
    let scopes: Set<Scope>
    let hidesEmail: Bool
    /// Nil when it was not asked for.
    let name: Name?
    let firstAuthorizedAt: Int64
}
