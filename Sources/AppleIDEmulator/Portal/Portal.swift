/// What Apple's developer portal and its accounts would hold: teams with their apps, and people.
///
/// It encodes to exactly what `GET /emulator/portal` answers: all that a relying party must configure, private keys
/// included.
public struct Portal: Hashable, Sendable, Codable {
    /// Where the emulator is reached.
    public var baseURL: String
    /// `iss` of its tokens.
    public var issuer: String
    public var teams: [Team]
    public var people: [Person]

    public init(baseURL: String, issuer: String, teams: [Team], people: [Person]) {
        self.baseURL = baseURL
        self.issuer = issuer
        self.teams = teams
        self.people = people
    }
}
