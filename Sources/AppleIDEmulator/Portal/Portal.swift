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
    /// Hosts beside `localhost`, `127.0.0.1` and `[::1]` that notifications may be sent to over plain `http`, such as
    /// the name of a container. Without this list a portal cannot make the emulator write to a neighbour's service.
    public var plainNotificationHosts: [String]?

    public init(
        baseURL: String, issuer: String, teams: [Team], people: [Person], plainNotificationHosts: [String]? = nil
    ) {
        self.baseURL = baseURL
        self.issuer = issuer
        self.teams = teams
        self.people = people
        self.plainNotificationHosts = plainNotificationHosts
    }

    /// Whether the emulator may send a request there by itself.
    func allowsCalls(to address: WebAddress) -> Bool {
        address.scheme == "https" || address.isLoopback || plainNotificationHosts?.contains(address.host) == true
    }
}
