import AppleIDTypes

/// A person's address at the relay, as one team knows it. Forwarding is switched for the whole team: it has one
/// address.
struct Relay: Hashable, Sendable, Codable {
    let person: String
    let team: TeamID

    init(person: String, team: TeamID) {
        self.person = person
        self.team = team
    }

    init(_ grant: Grant) {
        self.init(person: grant.key.person, team: grant.team)
    }
}
