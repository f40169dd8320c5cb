import AppleIDTypes

/// That a person uses an app: one for each group of apps, made at the first authorization and kept.
struct Grant: Hashable, Sendable, Codable {
    struct Key: Hashable, Sendable, Codable {
        let person: String
        /// The primary App ID.
        let group: ClientID
    }

    let key: Key
    let team: TeamID
    /// What was asked for the first time. What is asked for later is neither shown nor granted: Apple promises nothing
    /// about it, and people report that it does not come.
    let scopes: Set<Scope>
    let hidesEmail: Bool
    let firstAuthorizedAt: Int64
}
