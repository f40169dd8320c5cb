import AppleIDTypes

/// Something that a person did with their Apple Account and that one group of apps is told of.
///
/// Whoever changes a grant hands it to `Authority.happened(_:)` once the change is kept; a deleted account is one event
/// for each of its grants.
struct AccountEvent: Hashable, Sendable {
    var type: EventType
    /// The primary App ID: it is the audience, and its portal entry has the address to notify.
    let group: ClientID
    let subject: Subject
    /// The relay address, with the two e-mail events.
    let relayAddress: String?

    /// - Parameters:
    ///   - type: one of those that ``EventType`` names; a deleted account is `.accountDeleted`, however it is spelt.
    ///   - person: as the portal had them, since a deleted one is there no more.
    init(_ type: EventType, of person: Portal.Person, team: TeamID, group: ClientID) {
        let identity = PairwiseIdentity(person: person, team: team)
        self.type = type
        self.group = group
        subject = identity.subject
        relayAddress = [.emailDisabled, .emailEnabled].contains(type) ? identity.relayAddress : nil
    }

    init(_ type: EventType, of person: Portal.Person, _ grant: Grant) {
        self.init(type, of: person, team: grant.team, group: grant.key.group)
    }
}
