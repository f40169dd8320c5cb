import AppleIDTypes

/// That an app went from one team to another, and until when both may ask who is who.
struct Transfer: Hashable, Sendable, Codable {
    /// Sixty days, as Apple counts them.
    static let window: Int64 = 60 * 86_400

    /// The primary App ID; its Services IDs went with it.
    let app: ClientID
    let from: TeamID
    let to: TeamID
    /// When the recipient accepted it.
    let acceptedAt: Int64
    /// With which the sender still proves itself, for migration and nothing else.
    let formerKeys: [Portal.Key]

    func isOpen(at now: Int64) -> Bool { now - acceptedAt <= Self.window }

    /// Whether a grant moved with the app, so that its person has a subject from before.
    func moved(_ grant: Grant) -> Bool { grant.went(from: from) }

    /// What leads from one team's subject to the other's.
    func subject(of person: Portal.Person) -> Subject {
        PairwiseIdentity(person: person, team: from).transferSubject(to: to)
    }
}
