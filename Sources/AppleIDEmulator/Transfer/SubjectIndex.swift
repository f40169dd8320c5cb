import AppleIDTypes
import TaskSignals

/// Finds people by their subjects, which are computed and never stored. Without it, each request of a migration would
/// compute the subjects of all people.
///
/// It is a cache, and no part of the state. A result is computed again before it is used.
final class SubjectIndex: Sendable {
    /// The team whose subjects they are, and for transfer subjects the team that receives the app.
    struct Purpose: Hashable {
        let team: TeamID
        let recipient: TeamID?

        func subject(of person: Portal.Person) -> Subject {
            let identity = PairwiseIdentity(person: person, team: team)
            return recipient.map(identity.transferSubject) ?? identity.subject
        }
    }

    private let people = Lock<[Purpose: [Subject: String]]>([:])

    func id(of subject: Subject, _ purpose: Purpose) -> String? {
        people.withLock { $0[purpose]?[subject] }
    }

    func remember(_ all: [Portal.Person], _ purpose: Purpose) {
        let ids = Dictionary(all.map { (purpose.subject(of: $0), $0.id) }) { first, _ in first }
        people.withLock { $0[purpose] = ids }
    }
}

extension EmulatorState {
    /// Returns the person who has this subject for a team, or this transfer subject between two; nil for nobody's.
    func findPerson(_ subject: Subject, of team: TeamID, to recipient: TeamID? = nil) -> Portal.Person? {
        let purpose = SubjectIndex.Purpose(team: team, recipient: recipient)
        if let id = subjects.id(of: subject, purpose), let person = findPerson(id),
            purpose.subject(of: person) == subject
        {
            return person
        }
        let all = everybody
        guard let person = all.first(where: { purpose.subject(of: $0) == subject }) else { return nil }
        subjects.remember(all, purpose)
        return person
    }
}
