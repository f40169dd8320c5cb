import AppleIDTypes

/// Something that a person did with their Apple Account and that one group of apps is told of.
///
/// Whoever changes a grant hands it to `Authority.happened(_:)` once the change is kept; a deleted account is one event
/// for each of its grants.
struct AccountEvent: Hashable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case consentRevoked = "consent-revoked"
        case accountDeleted = "account-deleted"
        case emailDisabled = "email-disabled"
        case emailEnabled = "email-enabled"

        /// The two that tell of the relay address, and carry it.
        var isAboutEmail: Bool { self == .emailDisabled || self == .emailEnabled }
    }

    let kind: Kind
    /// The primary App ID: it is the audience, and its portal entry has the address to notify.
    let group: ClientID
    let subject: Subject
    /// The relay address, with the two e-mail events.
    let relayAddress: String?

    /// - Parameter person: as the portal had them, since a deleted one is there no more.
    init(_ kind: Kind, of person: Portal.Person, team: TeamID, group: ClientID) {
        let identity = PairwiseIdentity(person: person, team: team)
        self.kind = kind
        self.group = group
        subject = identity.subject
        relayAddress = kind.isAboutEmail ? identity.relayAddress : nil
    }

    init(_ kind: Kind, of person: Portal.Person, _ grant: Grant) {
        self.init(kind, of: person, team: grant.team, group: grant.key.group)
    }
}
