import AppleIDTypes

/// A person's address at the relay, as one team knows it. Forwarding is switched for the whole team: it has one address.
struct Relay: Hashable, Sendable, Codable {
    let person: String
    let team: TeamID
}
