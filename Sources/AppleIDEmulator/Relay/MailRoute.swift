import AppleIDTypes

/// Whose mailbox an address leads to.
enum MailRoute: Hashable, Sendable {
    /// Through the relay, by its rules.
    case relay(Relay)
    /// To an address of the person's own, where no relay is on the way.
    case own(person: String)

    var person: String {
        switch self {
        case .relay(let relay): relay.person
        case .own(let person): person
        }
    }

    var team: TeamID? {
        switch self {
        case .relay(let relay): relay.team
        case .own: nil
        }
    }
}
